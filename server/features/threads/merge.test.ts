import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import type { MergeConflict } from "../../../contract/values/merge-conflicts.ts";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { type Lines, setLines } from "./testing/lines.ts";

const app = await start();

/** Main and another thread, each with a change of its own; Main is the current one. */
async function twoLines(change: { mine: object; theirs: object }): Promise<Lines & { readonly mvp: string }> {
  const lines = await setLines(app);
  const { id } = await lines.fork("MVP");
  await lines.switchTo(id);
  await lines.edit("Card", change.theirs);
  await lines.pin();
  await lines.switchTo(lines.main);
  await lines.edit("Card", change.mine);
  return { ...lines, mvp: id };
}

const apart = { mine: { title: "Credit card" }, theirs: { quantity: 2 } };
const clashing = { mine: { hours: 10 }, theirs: { hours: 20 } };

describe("a merge without conflicts", () => {
  test("into the current thread changes the content, and makes a version with both heads as parents", async () => {
    const { mvp, main, merge, send, option, list, threads, base } = await twoLines(apart);
    const theirs = (await threads()).find(({ id }) => id === mvp)?.headVersionId;
    const { status, data, headers } = await merge(mvp, { into: main });
    expect([status, headers.get("etag")]).toEqual([200, `"${data.estimation?.revision}"`]);
    expect(await option("Credit card")).toMatchObject({ quantity: 2, hours: { likely: 8 } });
    const [merged, kept, , first] = await list();
    // The edit that no version had becomes one first.
    expect([kept?.cause, kept?.parents, kept?.threadId, first?.id]).toEqual(["merge", [base], main, base]);
    expect([merged?.cause, merged?.parents]).toEqual(["merge", [kept?.id, theirs]]);
    expect(data.merge).toMatchObject({
      version: { id: merged?.id },
      expected: { before: 9.33, after: 18.67 },
      into: { id: main, headVersionId: merged?.id, current: true },
      from: { id: mvp, status: "merged" },
      tasksAffected: 0,
    });
    expect(data.merge).not.toHaveProperty("conflicts");
    expect((await send("GET", "")).data.estimation).toEqual(data.estimation);
  });

  test("into another thread does not change the content, so it is possible while the content is locked", async () => {
    const { mvp, main, merge, send, read } = await twoLines(apart);
    await send("POST", "/submit");
    const before = (await send("GET", "/tree")).data.tree;
    const { status, data } = await merge(main, { into: mvp });
    expect([status, data.merge?.tasksAffected, data.merge?.from?.status]).toEqual([200, null, "open"]);
    const { content } = await read(String(data.merge?.version?.id));
    expect(content.tree.nodes[0]?.options[0]).toMatchObject({ title: "Credit card", quantity: 2 });
    expect((await send("GET", "/tree")).data.tree).toEqual(before);
    const locked = await merge(mvp, { into: main });
    expect([locked.status, locked.body.message]).toEqual([409, "estimation_locked"]);
  });

  test("as a dry run returns what it would change, and stores nothing", async () => {
    const { mvp, main, tryMerge, merge } = await twoLines(apart);
    const dry = await changesNothing(app, () => tryMerge(mvp, main));
    expect(dry).toMatchObject({
      expected: { before: 9.33, after: 18.67 },
      conflicts: [],
      tasksAffected: 0,
      addedTwice: [],
    });
    expect(dry.operations).toMatchObject([{ op: "changed", target: "option", field: "quantity", before: 1, after: 2 }]);
    expect(dry).not.toHaveProperty("version");
    const { data } = await merge(mvp, { into: main });
    expect(data.merge?.expected).toEqual(dry.expected);
    expect([data.merge?.p80, data.merge?.p80?.after]).toEqual([dry.p80, data.estimation?.hours?.p80]);
  });

  test("as a dry run names what both threads have added, each for itself", async () => {
    const { mvp, main, tryMerge, switchTo, send, nodes } = await twoLines(apart);
    const below = (await nodes())[0]?.id;
    const add = () => send("POST", `/tree/nodes/${below}/options`, { body: { title: "Voucher", hours: 3 } });
    expect([(await add()).status, (await switchTo(mvp)).status, (await add()).status]).toEqual([201, 200, 201]);
    const { addedTwice = [] } = await tryMerge(mvp, main);
    expect(addedTwice).toMatchObject([{ target: "option", title: "Voucher" }]);
    expect(addedTwice[0]?.fromId).not.toBe(addedTwice[0]?.intoId);
  });

  test("that is repeated changes nothing; after merging back, neither direction does", async () => {
    const { mvp, main, merge, list } = await twoLines(apart);
    const { data } = await merge(mvp, { into: main });
    const again = await changesNothing(app, () => merge(mvp, { into: main }));
    expect([again.status, again.data.merge?.version?.id]).toEqual([200, data.merge?.version?.id]);
    const count = (await list()).length;
    expect((await merge(main, { into: mvp })).body.message).toBe("thread_not_open");
    expect((await list()).length).toBe(count);
  });

  test("includes edits that are in no version yet, if the merged thread is the current one", async () => {
    const { mvp, main, merge, switchTo, read, option } = await twoLines(apart);
    const { data } = await merge(main, { into: mvp });
    const { content } = await read(String(data.merge?.version?.id));
    expect(content.tree.nodes[0]?.options[0]).toMatchObject({ title: "Credit card", quantity: 2 });
    await switchTo(mvp);
    expect((await option("Credit card")).quantity).toBe(2);
  });

  test("refuses the same thread, an unknown one, and one that is not open", async () => {
    const { mvp, main, merge, send } = await twoLines(apart);
    const other = await setLines(app);
    await send("PATCH", `/threads/${mvp}`, { body: { status: "closed" } });
    for (const into of [main, other.main, "none"]) {
      const { status, body } = await merge(main, { into });
      expect([status, body.errors?.[0]?.path]).toEqual([400, "/into"]);
    }
    expect((await merge(main, { into: mvp })).body.message).toBe("thread_not_open");
    expect((await merge(other.main, { into: main })).status).toBe(404);
    // What is closed can still be merged into what is open.
    expect((await merge(mvp, { into: main })).data.merge?.from?.status).toBe("closed");
  });

  test("a merged thread can be sent back unchanged, and only a merge makes one", async () => {
    const { main, fork, switchTo, send, merge, rename } = await setLines(app);
    const mvp = (await fork("MVP")).id;
    await switchTo(mvp);
    await rename("In the MVP");
    await switchTo(main);
    const asMerged = { title: "Was the MVP", status: "merged" };
    const early = await send("PATCH", `/threads/${mvp}`, { body: asMerged });
    expect([early.status, early.body.errors?.[0]]).toMatchObject([400, { path: "/status", code: "not_allowed" }]);
    expect((await merge(mvp, { into: main })).data.merge?.from?.status).toBe("merged");
    const { thread } = (await send("GET", `/threads/${mvp}`)).data;
    const back = await send("PATCH", `/threads/${mvp}`, { body: { ...thread, title: "Was the MVP" } });
    expect([back.status, back.data.thread]).toEqual([200, { ...thread, title: "Was the MVP" }]);
  });
});

test("switching and merging include milestones and the timeline, and first make a version of unversioned ones", async () => {
  const { main, fork, switchTo, send, merge, read } = await setLines(app);
  const mvp = (await fork("MVP")).id;
  const milestone = (title: string) => send("POST", "/milestones", { body: { title, dueDate: "2026-11-30" } });
  const titles = async () =>
    ((await send("GET", "/milestones")).data.milestones as unknown as { title: string }[]).map(({ title }) => title);
  expect((await milestone("Of Main")).status).toBe(201);
  const { keptVersion } = (await switchTo(mvp)).data;
  expect((await read(String(keptVersion?.id))).content.milestones).toMatchObject([{ title: "Of Main" }]);
  expect(await titles()).toEqual([]);
  await milestone("Of the MVP");
  await switchTo(main);
  expect(await titles()).toEqual(["Of Main"]);
  const { data } = await merge(mvp, { into: main });
  expect(await titles()).toEqual(["Of Main", "Of the MVP"]);
  const { content } = await read(String(data.merge?.version?.id));
  expect(content.milestones.map(({ title }) => title).sort()).toEqual(["Of Main", "Of the MVP"]);
});

test("a merge that changes the rounding counts the tasks that would change with it, in a dry run as well", async () => {
  const { main, fork, switchTo, send, pin, tryMerge, merge } = await setLines(app);
  const mvp = (await fork("MVP")).id;
  expect((await send("POST", "/tasks/generate")).status).toBe(200);
  await switchTo(mvp);
  await send("PUT", "", { body: { rounding: 1 } });
  await pin();
  await switchTo(main);
  expect((await tryMerge(mvp, main)).tasksAffected).toBe(1);
  expect((await merge(mvp, { into: main })).data.merge?.tasksAffected).toBe(1);
});

test("assumptions that both threads changed are a conflict, which a side or another text decides", async () => {
  const { main, fork, switchTo, send, pin, merge, tryMerge, read } = await setLines(app);
  const mvp = (await fork("MVP")).id;
  await switchTo(mvp);
  await send("PUT", "", { body: { assumptions: "Theirs" } });
  await pin();
  await switchTo(main);
  expect((await tryMerge(mvp, main)).operations).toMatchObject([
    { op: "changed", target: "setting", field: "assumptions", before: "", after: "Theirs" },
  ]);
  await send("PUT", "", { body: { assumptions: "Mine" } });
  const [conflict] = (await tryMerge(mvp, main)).conflicts ?? [];
  expect(conflict).toMatchObject({
    kind: "changed",
    field: "assumptions",
    into: { value: "Mine" },
    from: { value: "Theirs" },
  });
  const decide = (value: string) => merge(mvp, { into: main, resolutions: [{ id: conflict?.id, value }] });
  const refused = await decide("x".repeat(limits.descriptionLength + 1));
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/resolutions/0/value"]);
  const both = "x".repeat(limits.descriptionLength);
  const { data } = await decide(both);
  expect(data.estimation?.assumptions).toBe(both);
  expect((await read(String(data.merge?.version?.id))).content.assumptions).toBe(both);
});

test("no activity is recorded for what changes nothing", async () => {
  const { mvp, main, merge, tryMerge, switchTo, send } = await twoLines(apart);
  const kinds = async () =>
    ((await send("GET", "/activity")).data.activity as unknown as { kind: string }[]).map(({ kind }) => kind);
  const before = await kinds();
  await tryMerge(mvp, main);
  await switchTo(main);
  expect(await kinds()).toEqual(before);
  await merge(mvp, { into: main });
  await merge(mvp, { into: main });
  expect(await kinds()).toEqual(["thread.merged", ...before]);
});

describe("a merge with conflicts", () => {
  const conflictsOf = async ({ mvp, main, merge }: Lines & { mvp: string }) => {
    const { body } = await merge(mvp, { into: main });
    return body.details as unknown as { conflicts: MergeConflict[]; heads: { from: string; into: string } };
  };

  test("is refused with the values and hours of each side, and changes nothing, until every conflict is decided", async () => {
    const lines = await twoLines(clashing);
    const { mvp, main, merge, tryMerge, option, base, threads } = lines;
    const { conflicts, heads } = await conflictsOf(lines);
    expect(conflicts).toMatchObject([
      {
        kind: "changed",
        target: "option",
        field: "hours",
        base: { likely: 8 },
        into: { value: { likely: 10 }, hoursDelta: 0.67 },
        from: { value: { likely: 20 }, hoursDelta: 10.67 },
      },
    ]);
    expect(heads).toEqual({ from: (await threads())[1]?.headVersionId, into: base });
    expect((await tryMerge(mvp, main)).conflicts).toEqual(conflicts);
    const id = String(conflicts[0]?.id);
    const wrong = await merge(mvp, { into: main, resolutions: [{ id: `${id}0`, side: "from" }] });
    expect(wrong.body.message).toBe("merge_conflict");
    const { status } = await merge(mvp, { into: main, expectedHeads: heads, resolutions: [{ id, side: "from" }] });
    expect([status, (await option("Card")).hours?.likely]).toEqual([200, 20]);
  });

  test("that were all decided for the target are not reported again", async () => {
    const lines = await twoLines(clashing);
    const { mvp, main, merge, list, send } = lines;
    const { conflicts } = await conflictsOf(lines);
    const resolutions = conflicts.map(({ id }) => ({ id, side: "into" }));
    const { data } = await merge(mvp, { into: main, resolutions });
    const [merged, kept] = await list();
    expect([merged?.id, merged?.contentHash]).toEqual([data.merge?.version?.id, kept?.contentHash]);
    await send("PATCH", `/threads/${mvp}`, { body: { status: "open" } });
    const again = await changesNothing(app, async () => merge(mvp, { into: main, dryRun: true }));
    expect(again.data.merge?.conflicts).toEqual([]);
  });

  test("can be resolved with another value that is valid for the field", async () => {
    const lines = await twoLines(clashing);
    const { mvp, main, merge, option } = lines;
    const id = String((await conflictsOf(lines)).conflicts[0]?.id);
    const decide = (...resolutions: object[]) => merge(mvp, { into: main, resolutions });
    const points = { optimistic: 1, likely: 2, pessimistic: 3 };
    const cases: [object[], string, string][] = [
      [[{ id }], "/resolutions/0", "required"],
      [[{ id, side: "into", value: points }], "/resolutions/0", "required"],
      [[{ id, side: "theirs" }], "/resolutions/0/side", "not_one_of"],
      [[{ id, value: "many" }], "/resolutions/0/value", "wrong_type"],
      [[{ id, value: { ...points, likely: 0.5 } }], "/resolutions/0/value", "out_of_order"],
      [
        [
          { id, side: "into" },
          { id, side: "from" },
        ],
        "/resolutions/1/id",
        "repeated",
      ],
      [[{ id: "nod_x.parentId.0", value: "x" }], "/resolutions/0/value", "wrong_type"],
      [[{ id: "constructor.name.0", value: "x" }], "/resolutions/0/value", "wrong_type"],
    ];
    for (const [resolutions, path, code] of cases) {
      const { status, body } = await decide(...resolutions);
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([400, path, code]);
    }
    expect((await decide({ id, value: points })).status).toBe(200);
    expect((await option("Card")).hours).toEqual(points);
  });

  test(`accepts at most ${limits.mergeResolutions} resolutions, and reports which have decided nothing`, async () => {
    const { mvp, main, merge } = await twoLines(apart);
    const resolutions = Array.from({ length: limits.mergeResolutions + 1 }, (_, at) => ({
      id: `x.${at}`,
      side: "into",
    }));
    const most = resolutions.slice(1);
    const tried = await merge(mvp, { into: main, dryRun: true, resolutions: most });
    expect(tried.status).toBe(200);
    expect(tried.data.merge?.unusedResolutions).toEqual(most.map(({ id }) => id));
    const { status, body } = await merge(mvp, { into: main, resolutions });
    expect([status, body.errors?.[0]]).toMatchObject([
      ...[400, { path: "/resolutions", code: "too_many", expected: limits.mergeResolutions }],
    ]);
  });

  test("can be decided for one side in all conflicts that are not named", async () => {
    const { mvp, main, merge, option } = await twoLines(clashing);
    const wrong = await merge(mvp, { into: main, otherwise: "theirs" });
    expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([400, "/otherwise"]);
    const stale = [{ id: "tree.hours.0", side: "into" }];
    const { status, body } = await merge(mvp, { into: main, otherwise: "from", resolutions: stale });
    expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([
      ...[400, "/resolutions/0/id", "unknown_reference"],
    ]);
    expect((await merge(mvp, { into: main, otherwise: "from" })).status).toBe(200);
    expect((await option("Card")).hours?.likely).toBe(20);
  });

  test("of locked content is refused, and possible as a dry run", async () => {
    const { mvp, main, merge, tryMerge, send } = await twoLines(clashing);
    await send("POST", "/submit");
    const { status, body } = await merge(mvp, { into: main });
    expect([status, body.message]).toEqual([409, "estimation_locked"]);
    expect((await tryMerge(mvp, main)).conflicts).toHaveLength(1);
  });

  test("does not apply a decision to values that changed meanwhile, in a version or not", async () => {
    const lines = await twoLines(clashing);
    const { mvp, main, merge, edit, pin } = lines;
    const { conflicts, heads } = await conflictsOf(lines);
    const resolutions = conflicts.map(({ id }) => ({ id, side: "from" }));
    await edit("Card", { hours: 11 });
    const changed = await merge(mvp, { into: main, expectedHeads: heads, resolutions });
    expect(changed.body.message).toBe("merge_conflict");
    const head = (await pin()).id;
    const { body } = await merge(mvp, { into: main, expectedHeads: heads, resolutions });
    expect([body.message, body.details]).toEqual(["head_moved", { headVersionId: head, threadId: main }]);
  });

  test("happens once, however many users do it at the same time", async () => {
    const { mvp, main, merge, list } = await twoLines(apart);
    const responses = await Promise.all(Array.from({ length: 5 }, () => merge(mvp, { into: main })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await list()).filter(({ parents }) => parents.length === 2)).toHaveLength(1);
  });
});

test("two threads that were merged into each other report a conflict again if the decisions differed", async () => {
  const { mvp, main, merge, tryMerge, send, switchTo, edit } = await twoLines(clashing);
  const third = (
    await send("POST", "/threads", {
      body: { title: "Third", baseVersionId: (await send("GET", "/threads")).data.threads?.[1]?.headVersionId },
    })
  ).data.thread?.id;
  await send("POST", "/versions");
  const [id] = ((await tryMerge(mvp, main)).conflicts ?? []).map((conflict) => conflict.id);
  expect((await merge(main, { into: String(third), resolutions: await decided("from") })).status).toBe(200);
  expect((await merge(mvp, { into: main, resolutions: [{ id, side: "from" }] })).status).toBe(200);
  await switchTo(String(third));
  await edit("Card", { quantity: 2 });
  const dry = await tryMerge(main, String(third));
  expect(dry.conflicts).toMatchObject([{ kind: "changed", field: "hours", base: null }]);

  async function decided(side: string) {
    return ((await tryMerge(main, String(third))).conflicts ?? []).map((conflict) => ({ id: conflict.id, side }));
  }
});
