import { zstdCompressSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { type Json, start, type TestUser, until } from "../../../tests/harness.ts";
import { DeadlineExceeded, withinDeadline } from "../../platform/deadline.ts";
import { Overloaded } from "../../platform/turns.ts";
import { join, leave, makeTeam } from "../estimations/testing/teams.ts";
import { sourcesFor } from "./build-evidence.ts";
import {
  createEvidenceCache,
  type EvidenceCache,
  type EvidenceCacheOptions,
  type KnownEvidence,
  READERS_AT_ONCE,
  READERS_WAITING,
} from "./evidence-cache.ts";
import { forgetEvidence, STORED_BYTES, STORED_READERS, storeEvidence } from "./evidence-store.ts";
import { makeSuggestion } from "./make.ts";
import { listJudged } from "./store.ts";
import { estimate, finish, judge, readWithReceipt } from "./testing/history.ts";

const app = await start();
const TASKS = 12;

const cacheWith = (options: EvidenceCacheOptions = {}) => createEvidenceCache(app.services, options);

/** A user with finished tasks in one estimation, at this path; one option is left. */
async function withHistory(by?: TestUser): Promise<{ user: TestUser; path: string }> {
  const user = by ?? (await app.signUp());
  const path = await estimate(app, user, TASKS + 1, { title: "Earlier" });
  await finish(app, user, path, 20, TASKS);
  return { user, path };
}

const known = (cache: EvidenceCache, { userId }: TestUser): Promise<KnownEvidence> =>
  cache.use(userId, "", async (evidence) => evidence);

/** Everything that a suggestion takes from evidence, for one piece of work. */
async function saidBy(cache: EvidenceCache, user: TestUser) {
  const { evidence, hash, isCut } = await known(cache, user);
  const work = { optionId: "", title: "Export invoices", description: "", role: "dev", hours: 7 };
  const { analogs, quantile } = evidence.expect(work);
  return { hash, isCut, size: evidence.size, analogs, hours: [0.1, 0.5, 0.9].map(quantile) };
}

const taskIds = async (user: TestUser, path: string): Promise<string[]> => {
  const { data } = await app.request("GET", `${path}/tasks`, { token: user.token });
  return (data.tasks as unknown as Json[]).filter(({ hours }) => hours !== null).map(({ id }) => String(id));
};

describe("finished tasks", () => {
  it("count up to a limit, the newest first, and the response says if there are more", async () => {
    const { user, path } = await withHistory();
    expect(await known(cacheWith({ tasksMax: TASKS }), user)).toMatchObject({
      isCut: false,
      evidence: { size: TASKS },
    });
    const cut = cacheWith({ tasksMax: TASKS - 1 });
    const { evidence, isCut } = await known(cut, user);
    expect([isCut, evidence.size]).toEqual([true, TASKS - 1]);
    const [oldest, second, ...later] = await taskIds(user, path);
    const { rows } = await app.pool.query("select * from tasks where id = any($1)", [[oldest, second]]);
    const asTask = (id: string | undefined) => {
      const row = rows.find((one) => one.id === id);
      return { ...row, estimatedHours: row.hours, actualHours: row.actual_hours, doneAt: row.done_at };
    };
    const { holds } = await known(cut, user);
    expect([holds(asTask(oldest)), holds(asTask(second)), later.length]).toEqual([false, true, TASKS - 1]);
    // One more is finished: what fit before no longer fits.
    const grown = cacheWith({ tasksMax: TASKS });
    await known(grown, user);
    await finish(app, user, path, 20, TASKS + 1);
    expect(await known(grown, user)).toMatchObject({ isCut: true, evidence: { size: TASKS } });
    expect(await saidBy(grown, user)).toEqual(await saidBy(cacheWith({ tasksMax: TASKS }), user));
  });

  it("count of a limited number of estimations, the newest, also of those of teams; the response says if there are more", async () => {
    const [reader, owner] = [await app.signUp(), await app.signUp()];
    const teams = [await makeTeam(app, owner, reader), await makeTeam(app, owner, reader)];
    const made = (user: TestUser) => withHistory(user).then(({ path }) => String(path.split("/").at(-1)));
    const [oldest, own, newest] = [await made(owner), await made(reader), await made(owner)];
    const share = async (estimationId: string, teamId: string | undefined) =>
      app.pool.query("insert into estimation_readers (estimation_id, team_id, shared) values ($1, $2, 'viewer')", [
        estimationId,
        teamId,
      ]);
    for (const id of [oldest, newest]) await share(id, teams[0]);
    const knownOf = async (estimationsMax: number) => {
      const { sources, isCut } = await sourcesFor(app.services.pool, reader.userId, "", estimationsMax);
      const { evidence, isCut: isSaid } = await known(cacheWith({ estimationsMax }), reader);
      expect(isSaid).toBe(isCut);
      expect(evidence.size).toBe(TASKS * sources.size);
      return [[...sources.keys()], isCut];
    };
    expect(await knownOf(3)).toEqual([[oldest, own, newest], false]);
    expect(await knownOf(2)).toEqual([[own, newest], true]);
    expect(await knownOf(1)).toEqual([[newest], true]);
    // One that is held in several ways counts once.
    for (const teamId of teams) await share(own, teamId);
    await share(newest, teams[1]);
    expect(await knownOf(3)).toEqual([[oldest, own, newest], false]);
    expect(await knownOf(2)).toEqual([[own, newest], true]);
  });

  it("of what is shared with a team of the reader count like the reader's own, as long as the reader belongs to it", async () => {
    const { user: owner, path } = await withHistory();
    const [reader, estimationId] = [await app.signUp(), path.split("/").at(-1)];
    const teamId = await makeTeam(app, owner);
    await app.pool.query("insert into estimation_readers (estimation_id, team_id, shared) values ($1, $2, 'viewer')", [
      estimationId,
      teamId,
    ]);
    const sizeFor = async (user: TestUser) => (await saidBy(cacheWith(), user)).size;
    expect(await sizeFor(reader)).toBe(0);
    await join(app, teamId, reader);
    expect(await saidBy(cacheWith(), reader)).toEqual(await saidBy(cacheWith(), owner));
    // Not twice, where the reader may read it in another way too.
    await app.pool.query(
      "insert into estimation_readers (estimation_id, user_id, shared, has_changed) values ($1, $2, 'viewer', true)",
      [estimationId, reader.userId],
    );
    expect([await sizeFor(reader), await sizeFor(owner)]).toEqual([TASKS, TASKS]);
    await leave(app, teamId, reader);
    expect(await sizeFor(reader)).toBe(0);
  });

  it("done at the same time give the same result in any order of recording", async () => {
    const { user } = await withHistory();
    const kept = cacheWith();
    await known(kept, user);
    const path = await estimate(app, user, 3);
    await app.request("POST", `${path}/tasks/generate`, { token: user.token });
    const doneAt = app.services.clock.now().toISOString();
    const lastFirst = (await taskIds(user, path)).sort().reverse();
    const hashes = new Set<string>();
    for (const [at, id] of lastFirst.entries()) {
      const body = { actualHours: 5 + at, doneAt };
      await app.request("PUT", `${path}/tasks/${id}`, { token: user.token, body });
      const said = await saidBy(kept, user);
      expect(said).toEqual(await saidBy(cacheWith(), user));
      hashes.add(said.hash);
    }
    expect(hashes.size).toBe(lastFirst.length);
  });

  it("of the most recent readers are cached in memory, as long as they fit", async () => {
    const [{ user: first }, { user: second }] = [await withHistory(), await withHistory()];
    const bytesOf = async (user: TestUser) => (await known(cacheWith(), user)).evidence.bytes + TASKS * 200;
    const both = (await bytesOf(first)) + (await bytesOf(second));
    const isCached = async (bytesMax: number) => {
      const cache = cacheWith({ bytesMax });
      const before = await known(cache, first);
      await known(cache, second);
      return (await known(cache, first)).evidence === before.evidence;
    };
    expect(await isCached(both)).toBe(true);
    expect(await isCached(both - 1)).toBe(false);
  });
});

describe("evidence that is not in memory", () => {
  /** Uses evidence of readers who do not exist, until the gate is opened. */
  const held = (cache: EvidenceCache) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const began: string[] = [];
    const ask = (reader: string, exceptId = "") =>
      cache.use(reader, exceptId, () => {
        began.push(`${reader} ${exceptId}`);
        return gate;
      });
    return { ask, began, open };
  };

  it("is read for a few readers at a time; a limited number of others wait, and more are refused", async () => {
    const cache = cacheWith();
    const most = READERS_AT_ONCE + READERS_WAITING;
    const fitting = held(cache);
    const asked = Array.from({ length: most }, (_, at) => fitting.ask(`fitting ${at}`));
    await until(() => fitting.began.length === READERS_AT_ONCE);
    fitting.open();
    await Promise.all(asked);
    const { ask, began, open } = held(cache);
    let refused: unknown;
    const asking = Array.from({ length: most + 1 }, (_, at) =>
      ask(`one too many ${at}`).catch((error: unknown) => {
        refused = error;
      }),
    );
    await until(() => refused !== undefined);
    expect(refused).toBeInstanceOf(Overloaded);
    expect(began.length).toBeLessThanOrEqual(READERS_AT_ONCE);
    const suggesting = makeSuggestion(cache, { id: "", correlation: 0 }, { nodes: [] }, "another reader");
    await expect(suggesting).rejects.toMatchObject({ key: "service_unavailable" });
    open();
    await Promise.all(asking);
    expect(began).toHaveLength(most);
  });

  it("is no longer read for a request that has waited until its deadline", async () => {
    const cache = cacheWith();
    const { ask, began, open } = held(cache);
    const asked = Array.from({ length: READERS_AT_ONCE }, (_, at) => ask(`in time ${at}`));
    await until(() => began.length === READERS_AT_ONCE);
    const late = withinDeadline(app.clock, 1_000, () => ask("late"));
    const given = expect(late).rejects.toBeInstanceOf(DeadlineExceeded);
    await app.clock.advance(1_000);
    await given;
    open();
    await Promise.all([...asked, ask("afterwards")]);
    expect(began).not.toContain("late ");
  });

  it("is read for one request of a reader at a time, so that others get their turn", async () => {
    const { user, path } = await withHistory();
    const second = await estimate(app, user, 1);
    await finish(app, user, second, 20);
    const { ask, began, open } = held(cacheWith());
    const [first = "", last = ""] = [path, second].map((one) => one.split("/").at(-1));
    const asking = [ask(user.userId, first), ask(user.userId, last)];
    await until(() => began.length === 1);
    asking.push(ask("another reader"));
    await until(() => began.length === 2);
    expect(began[1]).toBe("another reader ");
    open();
    await Promise.all(asking);
    expect(began).toHaveLength(3);
  });
});

describe("what was computed from finished tasks", () => {
  const rowsOf = async ({ userId }: TestUser) =>
    (await app.pool.query("select * from stored_evidence where user_id = $1", [userId])).rows;
  /** Stores the evidence of a user: the second use follows what the first leaves to be done. */
  const storeFor = async (user: TestUser, storedTasks = TASKS) => {
    const cache = cacheWith({ storedTasks });
    const said = await saidBy(cache, user);
    await known(cache, user);
    return said;
  };
  const restored = () => cacheWith({ storedTasks: TASKS });
  const computed = () => cacheWith();

  it("is stored from a number of tasks on", async () => {
    const { user } = await withHistory();
    await storeFor(user, TASKS + 1);
    expect(await rowsOf(user)).toEqual([]);
    await storeFor(user, TASKS);
    expect(await rowsOf(user)).toHaveLength(1);
  });

  it("is read by a process that starts later, with the same result", async () => {
    const { user } = await withHistory();
    const said = await storeFor(user);
    expect(await saidBy(restored(), user)).toEqual(said);
    // What is used is really what was stored.
    const mark = "update stored_evidence set facts = replace(facts, $2, 'marked') where user_id = $1";
    await app.pool.query(mark, [user.userId, said.hash]);
    expect((await saidBy(restored(), user)).hash).toBe("marked");
    expect((await saidBy(computed(), user)).hash).toBe(said.hash);
  });

  it("is brought up to date with tasks that were finished, changed or removed since", async () => {
    const { user, path } = await withHistory();
    await storeFor(user);
    const compare = async () => {
      const said = await saidBy(restored(), user);
      expect(said).toEqual(await saidBy(computed(), user));
      return said.hash;
    };
    const hashes = [await compare()];
    await finish(app, user, path, 35, TASKS + 1);
    hashes.push(await compare());
    const [first, second] = await taskIds(user, path);
    await app.request("PUT", `${path}/tasks/${first}`, { token: user.token, body: { title: "Other words" } });
    hashes.push(await compare());
    await app.request("DELETE", `${path}/tasks/${second}`, { token: user.token });
    hashes.push(await compare());
    expect(new Set(hashes).size).toBe(4);
  });

  it("is not used for tasks that may no longer be read", async () => {
    const [{ user }, { path: theirs }] = [await withHistory(), await withHistory()];
    const reader = [theirs.split("/").at(-1), user.userId];
    const share =
      "insert into estimation_readers (estimation_id, user_id, shared, has_changed) values ($1, $2, 'editor', true)";
    await app.pool.query(share, reader);
    expect((await storeFor(user)).size).toBe(2 * TASKS);
    await app.pool.query("delete from estimation_readers where estimation_id = $1 and user_id = $2", reader);
    const said = await saidBy(restored(), user);
    expect(said.size).toBe(TASKS);
    expect(said).toEqual(await saidBy(computed(), user));
  });

  it("is computed again if it is of another version, or incomplete", async () => {
    const { user } = await withHistory();
    const said = await storeFor(user);
    const damage = [
      "update stored_evidence set version = 'older', facts = '{}' where user_id = $1",
      "delete from stored_evidence_parts where stored_id in (select id from stored_evidence where user_id = $1)",
      "update stored_evidence_parts set bytes = bytes || bytes where stored_id in (select id from stored_evidence where user_id = $1)",
    ];
    for (const statement of damage) {
      await app.pool.query("delete from stored_evidence where user_id = $1", [user.userId]);
      await storeFor(user);
      expect((await app.pool.query(statement, [user.userId])).rowCount).toBeGreaterThan(0);
      expect(await saidBy(restored(), user)).toEqual(said);
    }
  });

  it("is computed again if it was damaged and still has its length", async () => {
    const { user } = await withHistory();
    const said = await storeFor(user);
    const [{ id, bytes } = { id: "", bytes: 0 }] = await rowsOf(user);
    const other = zstdCompressSync(Buffer.alloc(Number(bytes), 7));
    const damage = "update stored_evidence_parts set bytes = $2 where stored_id = $1";
    expect((await app.pool.query(damage, [id, other])).rowCount).toBe(1);
    expect(await saidBy(restored(), user)).toEqual(said);
  });

  it("is not stored if it takes too many bytes, and what was stored before stays", async () => {
    const { user } = await withHistory();
    await storeFor(user);
    const [before] = await rowsOf(user);
    const storeBytes = (count: number) => {
      const pack = function* (chunkBytes: number) {
        for (let left = count; left > 0; left -= chunkBytes) yield new Uint8Array(Math.min(left, chunkBytes));
      };
      const row = { key: user.userId, userId: user.userId, version: "", estimationIds: [], facts: "{}", pack };
      return storeEvidence(app.services.pool, row, app.services.clock.now());
    };
    await storeBytes(STORED_BYTES + 1);
    expect(await rowsOf(user)).toEqual([before]);
    await storeBytes(STORED_BYTES);
    expect(await rowsOf(user)).toMatchObject([{ bytes: STORED_BYTES }]);
  });

  it("does not fail the request if it cannot be stored", async () => {
    const { user } = await withHistory();
    const warnings: unknown[] = [];
    const clock = {
      ...app.services.clock,
      now: (): Date => {
        throw new Error("no time");
      },
    };
    const log = { ...app.services.log, warn: (given: unknown) => warnings.push(given) } as typeof app.services.log;
    const cache = createEvidenceCache({ ...app.services, clock, log }, { storedTasks: TASKS });
    expect((await known(cache, user)).evidence.size).toBe(TASKS);
    await until(() => warnings.length === 1);
    expect(warnings).toMatchObject([{ err: { message: "no time" } }]);
  });

  it("is removed with an estimation whose tasks it holds", async () => {
    const { user, path } = await withHistory();
    await storeFor(user);
    const [{ id } = { id: "" }] = await rowsOf(user);
    const parts = async () =>
      (await app.pool.query("select 1 from stored_evidence_parts where stored_id = $1", [id])).rowCount ?? 0;
    expect(await parts()).toBeGreaterThan(0);
    const other = (await estimate(app, user, 1)).split("/").at(-1) ?? "";
    await forgetEvidence(app.services.pool, [other]);
    expect(await rowsOf(user)).toHaveLength(1);
    await forgetEvidence(app.services.pool, [other, path.split("/").at(-1) ?? ""]);
    expect([await rowsOf(user), await parts()]).toEqual([[], 0]);
  });

  it("is retained for the readers for whom it was stored most recently", async () => {
    const { user } = await withHistory();
    const others = `insert into stored_evidence (id, key, user_id, version, stored_at, estimation_ids, facts, bytes)
      select 'other ' || at, 'other ' || at, $1, '', $2::timestamptz - at * interval '1 day', '[]', '{}', 0
      from generate_series(1, $3::int) at`;
    await app.pool.query("delete from stored_evidence");
    await app.pool.query(others, [user.userId, app.services.clock.now(), STORED_READERS]);
    await storeFor(user);
    const keys = (await rowsOf(user)).map(({ key }) => key);
    expect(keys).toHaveLength(STORED_READERS);
    expect(keys).toContain(user.userId);
    expect(keys).toContain(`other ${STORED_READERS - 1}`);
    expect(keys).not.toContain(`other ${STORED_READERS}`);
  });
});

test("accuracy is of the newest estimations with a verdict, up to a limit", async () => {
  const user = await app.signUp();
  const verdicts = ["accepted", "rejected", "rejected"];
  for (const verdict of verdicts) {
    const path = await estimate(app, user, 1);
    const { receipt } = await readWithReceipt(app, user.token, path);
    await judge(app, user.token, path, { receipt, verdict });
  }
  const judged = async (limit: number) =>
    (await listJudged(app.services.pool, user.userId, limit)).map(({ verdict }) => verdict);
  expect(await judged(verdicts.length)).toEqual([...verdicts].reverse());
  expect(await judged(verdicts.length - 1)).toEqual(["rejected", "rejected"]);
});
