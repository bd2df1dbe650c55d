import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { purgeEstimations } from "../../services/purge-estimations.ts";
import { removeDeleted } from "../estimations/removal-store.ts";
import { setLines } from "./testing/lines.ts";

const app = await start();

describe("threads", () => {
  test("list with each version the P80 of the one before, also where that is in another thread or on the next page", async () => {
    const lines = await setLines(app);
    const { send, base, main, fork, switchTo, edit } = lines;
    const thread = await fork("Client B");
    await switchTo(thread.id);
    await edit("Card", { hours: 400 });
    expect((await send("POST", "/versions")).status).toBe(201);
    type Listed = { readonly id: string; readonly hours: { readonly p80: number }; readonly parentP80: number | null };
    const list = async (query: string) => (await send("GET", `/versions${query}`)).data.versions as unknown as Listed[];
    const [first] = (await list(`?thread=${main}`)) as [Listed];
    expect(first).toMatchObject({ id: base, parentP80: null });
    const [forked] = (await list(`?thread=${thread.id}`)) as [Listed];
    expect(forked.parentP80).toBe(first.hours.p80);
    expect(forked.hours.p80).toBeGreaterThan(first.hours.p80);
    expect(await list("?limit=1")).toEqual([forked]);
  });

  test("begin with Main, which is the current one and has no head until there is a version", async () => {
    const { token } = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "New" } });
    const path = `/api/estimations/${data.estimation?.id}`;
    const listed = await app.request("GET", `${path}/threads`, { token });
    const [main] = listed.data.threads as unknown as { id: string }[];
    expect(main).toMatchObject({
      title: "Main",
      main: true,
      current: true,
      status: "open",
      baseVersionId: null,
      headVersionId: null,
      hours: null,
      createdAt: data.estimation?.createdAt,
    });
    expect((await app.request("GET", `${path}/threads/${main?.id}`, { token })).data.thread).toEqual(main);
    const renamed = await app.request("PATCH", `${path}/threads/${main?.id}`, { token, body: { title: "Offer" } });
    expect(renamed.data.thread).toEqual({ ...main, title: "Offer" });
    const made = await app.request("POST", `${path}/versions`, { token });
    expect(made.data.version?.threadId).toBe(main?.id);
    const after = (await app.request("GET", `${path}/threads`, { token })).data.threads;
    expect(after).toMatchObject([{ id: main?.id, title: "Offer", headVersionId: made.data.version?.id }]);
    expect((await app.request("GET", `${path}/threads?status=closed`, { token })).data.threads).toEqual([]);
  });

  test("can begin with any version, and have its hours and content; the estimation does not change", async () => {
    const { send, base, main, fork, rename, pin, threads, read } = await setLines(app);
    await rename("Later");
    await pin();
    const before = (await send("GET", "")).data.estimation;
    const thread = await fork("MVP", base);
    expect(thread).toMatchObject({
      title: "MVP",
      baseVersionId: base,
      headVersionId: base,
      current: false,
      main: false,
    });
    expect(thread.hours).toEqual((await read(base)).hours);
    expect((await send("GET", "")).data.estimation).toEqual(before);
    expect((await threads()).map(({ id }) => id)).toEqual([main, thread.id]);
  });

  test("can only be made from a version of the same estimation", async () => {
    const [one, other] = [await setLines(app), await setLines(app)];
    for (const baseVersionId of [other.base, "none", ""]) {
      const { status, body } = await one.send("POST", "/threads", { body: { title: "x", baseVersionId } });
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([
        400,
        "/baseVersionId",
        "unknown_reference",
      ]);
    }
  });

  test("can be closed, reopened and deleted, except Main and the current one", async () => {
    const { send, main, fork, switchTo, threads, pin, rename, list } = await setLines(app);
    const [one, two] = [await fork("One"), await fork("Two")];
    const patch = (id: string, body: object) => send("PATCH", `/threads/${id}`, { body });
    expect((await patch(one.id, { status: "closed" })).data.thread?.status).toBe("closed");
    const refused = await switchTo(one.id);
    expect([refused.status, refused.body.message, refused.body.details]).toEqual([
      409,
      "thread_not_open",
      { status: "closed" },
    ]);
    expect((await patch(one.id, { status: "open" })).data.thread?.status).toBe("open");
    await switchTo(one.id);
    await rename("In one");
    const version = await pin();
    for (const [id, reason] of [
      [main, "main"],
      [one.id, "current"],
    ] as const) {
      for (const response of [await patch(id, { status: "closed" }), await send("DELETE", `/threads/${id}`)]) {
        expect([response.status, response.body.message, response.body.details]).toEqual([
          409,
          "thread_in_use",
          { reason },
        ]);
      }
    }
    await switchTo(two.id);
    await send("POST", `/threads/${one.id}/messages`, { body: { body: "Bye" } });
    expect((await send("DELETE", `/threads/${one.id}`)).data.thread?.id).toBe(one.id);
    expect((await threads()).map(({ id }) => id)).toEqual([main, two.id]);
    expect((await send("GET", `/threads/${one.id}/messages`)).status).toBe(404);
    const { rows } = await app.pool.query("select 1 from thread_messages where thread_id = $1", [one.id]);
    expect(rows).toEqual([]);
    // History is never rewritten.
    expect((await list()).find(({ id }) => id === version.id)?.threadId).toBe(one.id);
  });

  test("share one numbering of versions; each version names its thread, and lists can be filtered by thread", async () => {
    const { main, fork, switchTo, rename, pin, send, base } = await setLines(app);
    const mvp = await fork("MVP");
    await switchTo(mvp.id);
    await rename("MVP");
    const second = await pin();
    await switchTo(main);
    await rename("Main again");
    const third = await pin();
    expect([second.number, second.threadId, second.parents]).toEqual([2, mvp.id, [base]]);
    expect([third.number, third.threadId, third.parents]).toEqual([3, main, [base]]);
    const listed = async (query: string) =>
      ((await send("GET", `/versions${query}`)).data.versions as unknown as { number: number }[]).map(
        ({ number }) => number,
      );
    expect(await listed("")).toEqual([3, 2, 1]);
    expect([await listed(`?thread=${main}`), await listed(`?thread=${mvp.id}`)]).toEqual([[3, 1], [2]]);
    expect(await listed("?thread=none")).toEqual([]);
  });

  test("have a limit for their number", async () => {
    const { id, fork, send, base } = await setLines(app);
    await app.pool.query(
      `insert into threads select 'thr_' || left(md5($1 || n), 26), $1, 'x', null, null, 'open', false, now()
       from generate_series(1, $2::int) n`,
      [id, limits.threads - 2],
    );
    await fork("Last");
    const refused = await send("POST", "/threads", { body: { title: "Beyond", baseVersionId: base } });
    expect([refused.status, refused.body.details]).toEqual([409, { quota: "threads", limit: limits.threads }]);
    const title = "𝄞".repeat(limits.titleLength);
    const patch = (text: string) => send("PATCH", `/threads/${"x"}`, { body: { title: text } });
    expect([(await patch(title)).status, (await patch(`${title}x`)).status]).toEqual([404, 400]);
  });
});

describe("switching", () => {
  test("loads the content of the thread, and first makes a version of unversioned content in the thread that is left", async () => {
    const { main, fork, switchTo, rename, send, read, edit, threads, list } = await setLines(app);
    const mvp = await fork("MVP");
    await rename("Unversioned");
    await edit("Card", { hours: 99 });
    const { status, data, headers } = await switchTo(mvp.id);
    expect([status, data.thread?.id, data.thread?.current, data.tasksAffected]).toEqual([200, mvp.id, true, 0]);
    expect(data.estimation).toMatchObject({ title: "Shop", hours: { expected: 9.33 } });
    expect(headers.get("etag")).toBe(`"${data.estimation?.revision}"`);
    const kept = await read(String(data.keptVersion?.id));
    expect([kept.cause, kept.threadId, kept.content.title, kept.number]).toEqual(["switch", main, "Unversioned", 2]);
    expect((await threads()).map(({ current, headVersionId }) => [current, headVersionId])).toEqual([
      [false, kept.id],
      [true, mvp.headVersionId],
    ]);
    const back = await switchTo(main);
    // Nothing was changed in the thread that is left: no version is made.
    expect([back.data.keptVersion, (await list()).length]).toEqual([undefined, 2]);
    expect((await send("GET", "")).data.estimation?.title).toBe("Unversioned");
    const again = await changesNothing(app, () => switchTo(main));
    expect([again.status, again.data.thread?.current]).toEqual([200, true]);
  });

  test("returns how many tasks the next generation would change, and changes none", async () => {
    const { fork, switchTo, send, edit, main } = await setLines(app);
    const mvp = await fork("MVP");
    await edit("Card", { hours: 40 });
    await send("POST", "/tasks/generate");
    const tasks = (await send("GET", "/tasks")).data.tasks;
    const { data } = await switchTo(mvp.id);
    expect(data.tasksAffected).toBe(1);
    expect((await send("GET", "/tasks")).data.tasks).toEqual(tasks);
    const { summary } = (await send("POST", "/tasks/generate")).data;
    expect(summary).toMatchObject({ updated: 1, created: 0, removed: 0 });
    expect((await switchTo(main)).data.tasksAffected).toBe(1);
  });

  test("is refused if it would change locked content, or if there is no room for the version that it has to make", async () => {
    const { id, fork, switchTo, send, rename } = await setLines(app);
    const mvp = await fork("MVP");
    await rename("Other");
    await app.pool.query("update versions set number = $2 where estimation_id = $1", [id, limits.versions]);
    const full = await switchTo(mvp.id);
    expect([full.status, full.body.message]).toEqual([409, "limit_reached"]);
    await app.pool.query("update versions set number = 1 where estimation_id = $1", [id]);
    await send("POST", "/submit");
    const locked = await switchTo(mvp.id);
    expect([locked.status, locked.body.message]).toEqual([409, "estimation_locked"]);
  });

  test("changes what `expectedHeadVersionId` is compared with", async () => {
    const { fork, switchTo, rename, pin, send, base } = await setLines(app);
    await rename("Main");
    const head = (await pin()).id;
    const mvp = await fork("MVP", base);
    await switchTo(mvp.id);
    await rename("MVP");
    const moved = await send("POST", "/versions", { body: { expectedHeadVersionId: head } });
    expect([moved.status, moved.body.details]).toEqual([409, { headVersionId: base }]);
    expect((await send("POST", "/versions", { body: { expectedHeadVersionId: base } })).status).toBe(201);
  });
});

test("threads and messages are removed with their estimation, when it is removed permanently", async () => {
  const { id, fork, send, main } = await setLines(app);
  await fork("MVP");
  await send("POST", `/threads/${main}/messages`, { body: { body: "Hello" } });
  await send("DELETE", "");

  const removal = removeDeleted(app.services.pool, new Date(app.clock.now().getTime() + 1), purgeEstimations);
  while (await removal(500));
  const { rows } = await app.pool.query(
    `select (select count(*)::int from threads where estimation_id = $1) as threads,
       (select count(*)::int from thread_messages where estimation_id = $1) as messages,
       (select count(*)::int from estimations where id = $1) as estimations`,
    [id],
  );
  expect(rows).toEqual([{ threads: 0, messages: 0, estimations: 0 }]);
});
