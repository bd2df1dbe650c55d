import { describe, expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { type Lines, setLines } from "./testing/lines.ts";

const app = await start();

/** Main, the current thread, with a change of its own, and another thread that was merged into it. */
async function mergedLines(): Promise<Lines & { readonly mvp: string; readonly merged: string; undo: Undo }> {
  const lines = await setLines(app);
  const { main, fork, switchTo, edit, merge, send } = lines;
  const mvp = (await fork("MVP")).id;
  await switchTo(mvp);
  await edit("Card", { quantity: 2 });
  await switchTo(main);
  await edit("Card", { title: "Credit card" });
  const merged = String((await merge(mvp, { into: main })).data.merge?.version?.id);
  const undo: Undo = (versionId = merged, threadId = main, headers = {}) =>
    send("POST", `/threads/${threadId}/undo-merge`, { body: { versionId }, headers });
  return { ...lines, mvp, merged, undo };
}

type Undo = (versionId?: string, threadId?: string, headers?: Record<string, string>) => ReturnType<Lines["merge"]>;

describe("undoing a merge", () => {
  test("brings content, head and the merged thread back, keeps all versions, and the same merge does the same again", async () => {
    const { mvp, main, merged, undo, send, list, threads, option, tryMerge, merge } = await mergedLines();
    const before = await list();
    const { status, data, headers } = await undo();
    expect([status, headers.get("etag")]).toEqual([200, `"${data.estimation?.revision}"`]);
    expect(await option("Credit card")).toMatchObject({ quantity: 1 });
    expect((await send("GET", "")).data.estimation).toEqual(data.estimation);
    const [former] = before[0]?.parents ?? [];
    expect(data.thread).toMatchObject({ id: main, headVersionId: former, current: true });
    expect(data.reopened).toMatchObject([{ id: mvp, status: "open" }]);
    expect([data.keptVersion, data.tasksAffected]).toEqual([undefined, 0]);
    expect(await list()).toEqual(before);
    expect((await threads()).map((thread) => [thread.id, thread.status])).toEqual([
      [main, "open"],
      [mvp, "open"],
    ]);
    const dry = await tryMerge(mvp, main);
    expect(dry.operations).toMatchObject([{ op: "changed", field: "quantity", before: 1, after: 2 }]);
    const again = (await merge(mvp, { into: main })).data.merge;
    expect(again?.version).toMatchObject({ number: before.length + 1, parents: before[0]?.parents });
    expect(again?.version?.id).not.toBe(merged);
    expect(await option("Credit card")).toMatchObject({ quantity: 2 });
  });

  test("keeps edits that are in no version yet as one", async () => {
    const { merged, undo, edit, option, read, pin } = await mergedLines();
    await edit("Credit card", { hours: 30 });
    const { keptVersion } = (await undo()).data;
    expect(keptVersion).toMatchObject({ cause: "restore", parents: [merged] });
    expect((await read(String(keptVersion?.id))).content.tree.nodes[0]?.options[0]?.hours?.likely).toBe(30);
    expect(await option("Credit card")).toMatchObject({ quantity: 1, hours: { likely: 8 } });
    await edit("Credit card", { hours: 40 });
    expect((await pin()).number).toBe(Number(keptVersion?.number) + 1);
  });

  test("in a thread that is not the current one leaves the content alone, so it is possible while that is locked", async () => {
    const { main, send, fork, edit, merge, base } = await setLines(app);
    const other = (await fork("Client B")).id;
    await edit("Card", { quantity: 3 });
    await send("POST", "/submit");
    const { version } = (await merge(main, { into: other })).data.merge ?? {};
    const before = (await send("GET", "/tree")).data.tree;
    const { status, data } = await send("POST", `/threads/${other}/undo-merge`, {
      body: { versionId: version?.id },
    });
    expect([status, data.tasksAffected, data.reopened]).toEqual([200, null, []]);
    // It has no version of its own: its head is the one that it began with again.
    expect(data.thread).toMatchObject({ id: other, headVersionId: base, baseVersionId: base });
    expect((await send("GET", "/tree")).data.tree).toEqual(before);
  });

  test("opens every thread again that the merge had included", async () => {
    const { mvp, main, undo, fork, threads, merge, send } = await mergedLines();
    const head = (await threads()).find(({ id }) => id === mvp)?.headVersionId;
    const same = (await fork("The same", String(head))).id;
    expect((await merge(same, { into: main })).data.merge?.from?.status).toBe("merged");
    const closed = (await fork("Put aside", String(head))).id;
    await send("PATCH", `/threads/${closed}`, { body: { status: "closed" } });
    const { reopened } = (await undo()).data as unknown as { readonly reopened: readonly { readonly id: string }[] };
    expect(reopened.map(({ id }) => id)).toEqual([mvp, same]);
    expect((await threads()).find(({ id }) => id === closed)?.status).toBe("closed");
  });

  test("happens once, however many users ask for it at the same time", async () => {
    const { undo, list, option } = await mergedLines();
    const count = (await list()).length;
    const responses = await Promise.all(Array.from({ length: 5 }, () => undo()));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect((await list()).length).toBe(count);
    expect(await option("Credit card")).toMatchObject({ quantity: 1 });
  });

  test("is refused for what no merge made, for what is no longer the head, and where the content is locked or has moved on", async () => {
    const { main, mvp, merged, base, undo, pin, edit, send, list } = await mergedLines();
    const [, kept] = await list();
    for (const versionId of [base, String(kept?.id), "none"]) {
      const { status, body } = await undo(versionId);
      expect([status, body.errors?.[0]]).toMatchObject([400, { path: "/versionId", code: "unknown_reference" }]);
    }
    const elsewhere = await undo(merged, mvp);
    const theirs = (await send("GET", `/threads/${mvp}`)).data.thread?.headVersionId;
    expect([elsewhere.body.message, elsewhere.body.details]).toEqual([
      "head_moved",
      { headVersionId: theirs, threadId: mvp },
    ]);
    expect((await undo(merged, "none")).status).toBe(404);
    expect((await undo(merged, main, { "if-match": '"1"' })).body.message).toBe("revision_mismatch");
    await send("POST", "/submit");
    expect((await changesNothing(app, () => undo())).body.message).toBe("estimation_locked");
    await send("POST", "/reopen");
    await edit("Credit card", { hours: 9 });
    const { id } = await pin();
    const late = await undo();
    expect([late.status, late.body.message, late.body.details]).toEqual([
      ...[409, "head_moved", { headVersionId: id, threadId: main }],
    ]);
  });

  test("is in the activity with the hours that it changed", async () => {
    const { main, undo, send } = await mergedLines();
    await undo();
    const [entry] = (await send("GET", "/activity")).data.activity as unknown as { kind: string }[];
    expect(entry).toMatchObject({ kind: "thread.merge_undone", subject: { threadId: main }, hoursDelta: -9.34 });
  });
});
