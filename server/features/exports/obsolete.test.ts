import { describe, expect, test } from "vitest";
import { setStage } from "./testing/stage.ts";

const { app, fake, call, connection, estimate, events } = await setStage();
const COMMENT = /^POST .*\/comments$/;
const CHANGE = /^PATCH .*\/issues\//;

interface Node {
  readonly options: readonly object[];
}

/** An exported estimation, from whose tree the last `cut` of four options are taken away. */
async function withObsolete(cut = 2) {
  const made = await estimate([4], { submits: false });
  const { id: exported } = await made.exported();
  const { nodes } = (await call("GET", `${made.path}/tree`)).data.tree as unknown as { nodes: Node[] };
  const plan = async (left: number) => {
    const cutNodes = nodes.map((node) => ({ ...node, options: node.options.slice(0, left) }));
    const { status, text } = await call("PUT", `${made.path}/tree`, { nodes: cutNodes });
    expect(status, text).toBe(200);
    await call("POST", `${made.path}/tasks/generate`);
  };
  await plan(4 - cut);
  fake.asked.length = 0;
  const close = async (exportId: string, body?: object) => {
    const response = await call("POST", `${made.path}/exports/${exportId}/close-obsolete`, body);
    expect(response.status, response.text).toBe(202);
    const id = String(response.data.export?.id);
    return { id, run: await made.finish(id), items: await made.items(id) };
  };
  const part = (at: number) => fake.repository.issues.find(({ title }) => title.endsWith(`Part 1.${at}`));
  const obsolete = async (more: object = {}) => {
    const { id, run, items } = await made.exported(more);
    return { id, run, urls: items.filter(({ outcome }) => outcome === "obsolete").map(({ url }) => url) };
  };
  return { ...made, exported: made.exported, first: exported, plan, close, part, obsolete };
}

const writes = () =>
  fake.asked.filter(({ operation }) => !operation.startsWith("GET")).map(({ operation }) => operation);

describe("issues of obsolete tasks", () => {
  test("are listed by a dry run and by an export while they are open, and stay as they are", async () => {
    const { id, obsolete, part, tasks } = await withObsolete();
    const numbers = [part(3)?.number, part(4)?.number];
    const urls = numbers.map((number) => expect.stringMatching(new RegExp(`/issues/${number}$`)));
    const before = await tasks();
    const dry = await obsolete({ dryRun: true });
    expect([dry.urls, dry.run.progress]).toMatchObject([urls, { total: 5, created: 0, skipped: 5 }]);
    expect(writes()).toEqual([]);
    expect(await tasks()).toEqual(before);
    expect((await obsolete({ recreateDeleted: true })).urls).toEqual(urls);
    expect(fake.repository.issues.filter(({ closedAt }) => closedAt !== null)).toEqual([]);
    fake.repository.close(part(3)?.number ?? 0);
    Object.assign(part(4) ?? {}, { gone: "deleted" });
    const count = fake.repository.issues.length;
    expect((await obsolete({ recreateDeleted: true })).urls).toEqual([]);
    expect(fake.repository.issues).toHaveLength(count);
    expect(await events(id)).toHaveLength(3);
  });

  test("are closed as not planned on request, with one comment, and their tasks are dropped", async () => {
    const { id, path, close, obsolete, part, tasks } = await withObsolete();
    const { id: dryRun } = await obsolete({ dryRun: true });
    const told = (await events(id)).length;
    const closed = await close(dryRun, { connectionId: connection });
    expect(closed.run).toMatchObject({ kind: "close", retryOf: dryRun, status: "completed" });
    expect(closed.run.progress).toEqual({ total: 2, created: 0, updated: 2, skipped: 0, failed: 0 });
    expect(closed.items.map(({ outcome }) => outcome)).toEqual(["closed", "closed"]);
    for (const at of [3, 4]) {
      expect(part(at)).toMatchObject({ closedAt: expect.any(Date), stateReason: "not_planned" });
      expect(part(at)?.comments.map(({ body }) => body)).toEqual([
        expect.stringMatching(new RegExp(`no longer part of the estimation \\[Shop\\]\\(http.*/${id}\\)\\.$`)),
      ]);
    }
    expect(part(1)).toMatchObject({ closedAt: null, comments: [] });
    expect((await tasks()).filter(({ droppedAt }) => droppedAt !== null).map(({ title }) => title)).toEqual([
      "Part 1.3",
      "Part 1.4",
    ]);
    // Again, it finds nothing to do; a later export does not ask for them.
    expect((await close(dryRun)).run.progress).toMatchObject({ updated: 0, skipped: 2 });
    expect(part(3)?.comments).toHaveLength(1);
    expect((await obsolete()).run.progress).toMatchObject({ total: 3, skipped: 3 });
    expect(await events(id)).toHaveLength(told + 1);
    const { data } = await call("GET", `${path}/activity?limit=10`);
    const kinds = (data.activity as unknown as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "issues.closed")).toHaveLength(2);
  });

  test("are closed at the pace of the connection: each comment and each change is a write of its own", async () => {
    const { close, obsolete } = await withObsolete();
    const { id } = await obsolete({ dryRun: true });
    const counted = async () => {
      const { rows } = await app.pool.query("select paced from connection_paces where connection_id = $1", [
        connection,
      ]);
      const minutes: Record<string, number> = rows[0]?.paced.minutes ?? {};
      return Object.values(minutes).reduce((sum, count) => sum + count, 0);
    };
    const before = await counted();
    fake.asked.length = 0;
    await close(id);
    expect(writes()).toHaveLength(4);
    expect((await counted()) - before).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ["a comment", COMMENT],
    ["a change", CHANGE],
  ] as const)("get no second comment where the response to %s is lost", async (_, lost) => {
    const { close, obsolete, part } = await withObsolete(1);
    const { id } = await obsolete();
    fake.faults.next("reset_after", lost);
    const { run } = await close(id);
    expect(run).toMatchObject({ status: "completed", progress: { total: 1, updated: 1 } });
    expect([part(4)?.closedAt, part(4)?.comments.length]).toEqual([expect.any(Date), 1]);
  });

  test("stay open where their tasks count again, or somebody else is faster", async () => {
    const { plan, close, obsolete, part } = await withObsolete();
    const { id } = await obsolete();
    await plan(3);
    fake.repository.close(part(4)?.number ?? 0, "completed");
    const { items } = await close(id);
    expect(items.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["skipped", "The task is part of the estimation again."],
      ["unchanged", null],
    ]);
    expect([part(3)?.closedAt, part(4)?.stateReason, part(4)?.comments]).toEqual([null, "completed", []]);
  });

  test("that cannot be closed fail with GitHub's words, those that are gone are told, and the others are closed", async () => {
    const { close, obsolete, part } = await withObsolete(3);
    const { id } = await obsolete();
    Object.assign(part(3) ?? {}, { gone: "deleted" });
    fake.faults.next("invalid", CHANGE);
    const { run, items } = await close(id);
    expect(items.map(({ outcome }) => outcome)).toEqual(["failed", "gone", "closed"]);
    expect(items[0]?.reason).toMatch(/Validation Failed/);
    expect(run.status).toBe("partial");
    expect(part(2)?.closedAt).toBeNull();
    // It is still listed, and closing it then says it once.
    const again = await close((await obsolete()).id);
    expect(again.items.map(({ outcome }) => outcome)).toEqual(["closed"]);
    expect(part(2)?.comments).toHaveLength(1);
  });

  test("are closed only with a token that may write, by somebody who may edit, through a connection of one's own", async () => {
    const { path, close, obsolete, part } = await withObsolete(1);
    const { id } = await obsolete();
    fake.repository.settings.push = false;
    const { run } = await close(id).finally(() => {
      fake.repository.settings.push = true;
    });
    expect(run).toMatchObject({ status: "failed", problem: { code: "permission_missing" } });
    expect(part(4)).toMatchObject({ closedAt: null, comments: [] });
    const stranger = await app.signUp();
    const response = await call("POST", `${path}/exports/${id}/close-obsolete`, undefined, stranger);
    expect(response.status).toBe(404);
  });
});
