import { beforeEach, describe, expect, it } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { inTransaction, isAnybodyWaiting } from "../../../tests/support/transactions.ts";
import { drizzleOver } from "../../db/database.ts";
import { lockMembership } from "../teams/index.ts";
import { ESTIMATIONS_AT_ONCE, endSomeOfTeam } from "./end-team-store.ts";
import { endTeamJob, estimationJobs, estimationLookUp } from "./index.ts";
import { addToLists } from "./listing-store.ts";
import { makeEstimation } from "./make-estimation.ts";
import { countTeams, setReader, setTeamLevel, type TeamLevel, teamLevelsOf } from "./reader-store.ts";
import { join, leave, makeTeam, removeTeam } from "./testing/teams.ts";

const app = await start();
const { pool } = app.services;

let [owner, member, other] = [] as unknown as [TestUser, TestUser, TestUser];
let id = "";
let teamId = "";
beforeEach(async () => {
  [owner, member, other] = await Promise.all([app.signUp(), app.signUp(), app.signUp()]);
  id = await create(owner, "Shop");
  teamId = await makeTeam(app, member);
});

async function create({ token }: TestUser, title: string, more: object = {}): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title, ...more } });
  return String(data.estimation?.id);
}

const share = (level: TeamLevel | null, on = id, team = teamId) =>
  pool.transaction((tx) => setTeamLevel(tx, { id: on }, team, level));

const read = ({ token }: TestUser, on = id) => app.request("GET", `/api/estimations/${on}`, { token });
const edit = ({ token }: TestUser, on = id) =>
  app.request("PATCH", `/api/estimations/${on}`, { token, body: { description: `Edit ${Math.random()}` } });
const listed = async ({ token }: TestUser, query = "") => {
  const { status, data } = await app.request("GET", `/api/estimations?${query}`, { token });
  expect(status, query).toBe(200);
  return (data.estimations as unknown as { id: string }[]).map((row) => row.id);
};
const accessOf = async (user: TestUser, on = id) => {
  const { data } = await read(user, on);
  return data.estimation && [data.estimation.access, (data.estimation.viaTeam as { id?: string } | null)?.id ?? null];
};

describe("what is shared with a team", () => {
  it("every member, present and future, has at that level from the next request on, and nobody else", async () => {
    expect((await read(member)).status).toBe(404);
    expect(await share("viewer")).toBe(true);
    expect(await accessOf(member)).toEqual(["viewer", teamId]);
    expect((await edit(member)).status).toBe(403);
    expect((await read(other)).status).toBe(404);
    await join(app, teamId, other);
    expect(await accessOf(other)).toEqual(["viewer", teamId]);
    expect(await listed(other)).toContain(id);
    expect(await share("editor")).toBe(true);
    for (const user of [member, other]) expect((await edit(user)).status).toBe(200);
    expect(await accessOf(owner)).toEqual(["owner", null]);
  });

  it("a former member has no longer, in no way, from the next request on", async () => {
    await share("editor");
    expect((await edit(member)).status).toBe(200);
    await leave(app, teamId, member);
    expect((await read(member)).status).toBe(404);
    expect((await edit(member)).status).toBe(404);
    expect(await listed(member)).not.toContain(id);
    expect(await listed(member, "q=shop")).not.toContain(id);
    expect(await listed(member, `team=${teamId}`)).toEqual([]);
  });

  it("ends with the share, and sharing the same again is no change", async () => {
    expect([await share(null), await share("viewer"), await share("viewer")]).toEqual([false, true, false]);
    expect(await teamLevelsOf(pool, id)).toEqual([{ teamId, level: "viewer" }]);
    expect(await countTeams(pool, id)).toBe(1);
    expect([await share(null), await share(null)]).toEqual([true, false]);
    expect((await read(member)).status).toBe(404);
    expect(await listed(member)).toEqual([]);
    expect(await countTeams(pool, id)).toBe(0);
  });

  it("is one row, and one of each list, however many members there are; membership writes none", async () => {
    const tagged = await create(owner, "Tagged", { tags: ["a", "b"] });
    await share("viewer", tagged);
    const rows = async () => {
      const count = "select count(*)::int as n from";
      const readers = await app.pool.query(`${count} estimation_readers where estimation_id = $1`, [tagged]);
      const listings = await app.pool.query(`${count} estimation_listings where estimation_id = $1`, [tagged]);
      return [readers.rows[0].n, listings.rows[0].n];
    };
    const before = await rows();
    expect(before).toEqual([2, 6]);
    await join(app, teamId, other);
    await leave(app, teamId, member);
    expect(await rows()).toEqual(before);
    expect(await listed(other, "tag=b")).toEqual([tagged]);
  });

  it("counts beside what the person has: the highest level, and the team only where it gives more", async () => {
    const second = await makeTeam(app, member);
    await share("viewer");
    await share("editor", id, second);
    expect(await accessOf(member)).toEqual(["editor", second]);
    await setReader(pool, { estimationId: id, userId: member.userId }, { shared: "editor" });
    expect(await accessOf(member)).toEqual(["editor", null]);
    await setReader(pool, { estimationId: id, userId: member.userId }, { shared: "viewer" });
    expect(await accessOf(member)).toEqual(["editor", second]);
    await share(null, id, second);
    expect(await accessOf(member)).toEqual(["viewer", null]);
    await setReader(pool, { estimationId: id, userId: member.userId }, { shared: null, reviews: true });
    expect(await accessOf(member)).toEqual(["viewer", teamId]);
    await share(null);
    expect(await accessOf(member)).toEqual(["reviewer", null]);
  });

  it("is named with its team in every response about the estimation, and in lists", async () => {
    await share("editor");
    const { rows } = await app.pool.query("select id, name from teams where id = $1", [teamId]);
    expect((await read(member)).data.estimation?.viaTeam).toEqual(rows[0]);
    expect((await edit(member)).data.estimation?.viaTeam).toEqual(rows[0]);
    const { data } = await app.request("GET", "/api/estimations", { token: member.token });
    expect((data.estimations as unknown as object[])[0]).toMatchObject({ id, access: "editor", viaTeam: rows[0] });
  });

  it("is gone while the estimation is deleted, and back with it", async () => {
    await share("editor");
    await app.request("DELETE", `/api/estimations/${id}`, { token: owner.token });
    expect((await read(member)).status).toBe(404);
    expect((await edit(member)).status).toBe(404);
    expect([await listed(member), await listed(member, "deleted=true")]).toEqual([[], []]);
    const restore = ({ token }: TestUser) => app.request("POST", `/api/estimations/${id}/restore-deleted`, { token });
    expect((await restore(member)).status).toBe(404);
    expect((await restore(owner)).status).toBe(200);
    expect(await accessOf(member)).toEqual(["editor", teamId]);
    expect(await listed(member)).toEqual([id]);
  });

  it("stays with it when it is transferred", async () => {
    const editor = await app.signUp();
    await share("viewer");
    await app.request("POST", `/api/estimations/${id}/shares`, {
      token: owner.token,
      body: { email: editor.email, permission: "edit" },
    });
    const login = { email: editor.email, password: editor.password };
    await app.request("POST", "/api/auth/login", { body: login });
    const body = { userId: editor.userId };
    expect((await app.request("POST", `/api/estimations/${id}/transfer`, { token: owner.token, body })).status).toBe(
      200,
    );
    expect([await accessOf(member), await accessOf(owner), await accessOf(editor)]).toEqual([
      ["viewer", teamId],
      ["editor", null],
      ["owner", null],
    ]);
    await join(app, teamId, editor);
    expect(await accessOf(editor)).toEqual(["owner", null]);
    await share(null);
    expect((await read(member)).status).toBe(404);
  });
});

describe("the list of one team", () => {
  it("has what is shared with it, at the level that the caller has, whatever gives it", async () => {
    const [second, own] = [await create(owner, "Second"), await create(member, "Own")];
    await share("viewer");
    await share("editor", second);
    await share("viewer", own);
    await setReader(pool, { estimationId: id, userId: member.userId }, { shared: "editor" });
    expect(await listed(member, `team=${teamId}`)).toEqual([own, second, id]);
    expect(await listed(member, `team=${teamId}&access=owner`)).toEqual([own]);
    expect(await listed(member, `team=${teamId}&access=editor`)).toEqual([second, id]);
    expect(await listed(member, `team=${teamId}&access=viewer`)).toEqual([]);
    expect(await listed(member, `team=${teamId}&q=own`)).toEqual([own]);
    expect(await listed(member, "access=viewer")).toEqual([]);
  });

  it("is empty for a team that the caller does not belong to, as for an id that no team has", async () => {
    await share("viewer");
    for (const user of [owner, other]) expect(await listed(user, `team=${teamId}`)).toEqual([]);
    for (const unknown of [`team_${"0".repeat(26)}`, "nothing", member.userId, id]) {
      expect(await listed(member, `team=${unknown}`)).toEqual([]);
      expect(await listed(member, `team=${unknown}&q=shop&access=viewer`)).toEqual([]);
    }
    const deleted = await app.request("GET", `/api/estimations?deleted=true&team=${teamId}`, { token: member.token });
    expect([deleted.status, deleted.body.errors]).toEqual([400, [expect.objectContaining({ path: "/team" })]]);
  });

  it("reads on past very many that the caller has at another level, page by page", async () => {
    await app.pool.query(
      `with made as (
         insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
         select 'est_' || left(md5($1 || n), 26), $1, 'Many', '', 0.2, now() + n * interval '1 s', now() + n * interval '1 s'
         from generate_series(1, 300) n returning id),
       held as (insert into estimation_readers (estimation_id, user_id, owns) select id, $1, true from made)
       insert into estimation_readers (estimation_id, team_id, shared) select id, $2, 'viewer' from made`,
      [member.userId, teamId],
    );
    const { rows } = await app.pool.query("select id from estimations where owner_id = $1", [member.userId]);
    await addToLists(pool, ...rows.map((row) => row.id));
    await share("viewer");
    expect(await listed(member, `team=${teamId}&access=viewer&limit=1`)).toEqual([id]);
    expect(await listed(member, `team=${teamId}&access=viewer&q=shop&limit=1`)).toEqual([id]);
    expect(await listed(member, "access=viewer&limit=1")).toEqual([id]);
    expect(await listed(member, `team=${teamId}&access=owner&limit=100`)).toHaveLength(100);
  });
});

describe("a write by a member", () => {
  it("that waits for the estimation is refused if the membership ends meanwhile", async () => {
    await share("editor");
    const waiting = await inTransaction(app.pool, async (client) => {
      await client.query("select from estimations where id = $1 for update", [id]);
      const response = edit(member);
      await expect.poll(() => isAnybodyWaiting(app.pool)).toBe(true);
      await leave(app, teamId, member);
      return { response };
    });
    expect((await waiting.response).status).toBe(404);
  });

  it("that waits for the estimation has the level that the share has afterwards", async () => {
    await share("editor");
    const waiting = await inTransaction(app.pool, async (client) => {
      await client.query("select from estimations where id = $1 for update", [id]);
      const response = edit(member);
      await expect.poll(() => isAnybodyWaiting(app.pool)).toBe(true);
      await setTeamLevel(drizzleOver(client), { id }, teamId, "viewer");
      return { response };
    });
    expect((await waiting.response).status).toBe(403);
  });

  it("holds the membership until it ends, so that leaving waits, and a lost membership is never used", async () => {
    await share("editor");
    const left = await inTransaction(app.pool, async (client) => {
      const locked = await estimationLookUp.lock(drizzleOver(client), id, member.userId, "edit");
      expect(locked).toMatchObject({ access: "editor", viaTeam: { id: teamId } });
      const leaving = leave(app, teamId, member);
      await expect.poll(() => isAnybodyWaiting(app.pool)).toBe(true);
      // The same member's other writes need not wait for whoever is leaving.
      expect((await edit(other)).status).toBe(404);
      return { leaving };
    });
    await left.leaving;
    expect((await edit(member)).status).toBe(404);
  });

  it("falls back on another team while it waits for a membership that ends", async () => {
    const second = await makeTeam(app, member);
    await share("editor");
    await share("viewer", id, second);
    const waiting = await inTransaction(app.pool, async (client) => {
      await client.query("delete from team_members where team_id = $1", [teamId]);
      const response = edit(member);
      await expect.poll(() => isAnybodyWaiting(app.pool)).toBe(true);
      return { response };
    });
    expect((await waiting.response).status).toBe(403);
    expect(await accessOf(member)).toEqual(["viewer", second]);
  });

  it("can lock a membership alone, where there is one", async () => {
    await inTransaction(app.pool, async (client) => {
      const tx = drizzleOver(client);
      expect(await lockMembership(tx, teamId, member.userId)).toEqual({ role: "admin" });
      expect(await lockMembership(tx, teamId, other.userId)).toBeNull();
    });
  });
});

describe("a new estimation", () => {
  it("can be shared with a team at once", async () => {
    const made = await pool.transaction((tx) =>
      makeEstimation(tx, app.services, {
        ...{ ownerId: owner.userId, fields: { title: "New", tags: ["x"] } },
        shareNew: async (same, made) => {
          await setTeamLevel(same, made, teamId, "editor");
        },
        now: app.clock.now(),
      }),
    );
    expect(made).toMatchObject({ access: "owner", viaTeam: null });
    expect(await accessOf(member, made.id)).toEqual(["editor", teamId]);
    expect([await listed(member, "tag=x"), await listed(member, "q=new")]).toEqual([[made.id], [made.id]]);
  });
});

describe("a removed team", () => {
  it("gives nobody anything at once, and a job removes what it was given, also of deleted estimations, a few at a time", async () => {
    const more = await Promise.all(Array.from({ length: 3 }, (_, n) => create(owner, `More ${n}`, { tags: ["t"] })));
    for (const one of [id, ...more]) await share("viewer", one);
    await app.request("DELETE", `/api/estimations/${more[0]}`, { token: owner.token });
    await setReader(pool, { estimationId: id, userId: other.userId }, { shared: "viewer" });
    await removeTeam(app, teamId);
    expect((await read(member)).status).toBe(404);
    expect([await listed(member), await listed(member, "q=more")]).toEqual([[], []]);
    const [job] = estimationJobs(app.services, []);
    expect(job?.name).toBe(endTeamJob.name);
    await job?.run({ teamId }, { lease: { key: "", token: "" }, signal: new AbortController().signal });
    const { rows } = await app.pool.query(
      `select 'readers' from estimation_readers where holder_id = $1 union all
       select 'listings' from estimation_listings where holder_id = $1 union all
       select 'texts' from estimation_texts where $1 = any(readers)`,
      [teamId],
    );
    expect(rows).toEqual([]);
    expect(await accessOf(other)).toEqual(["viewer", null]);
    expect(await listed(other, "q=shop")).toEqual([id]);
  });

  it("is cleaned up in batches of a limited size", async () => {
    const owner = await app.signUp();
    await app.pool.query(
      `with made as (
         insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
         select 'est_' || left(md5($1 || n), 26), $1, 'Many', '', 0.2, now(), now() from generate_series(1, $2::int) n
         returning id)
       insert into estimation_readers (estimation_id, team_id, shared) select id, $3, 'viewer' from made`,
      [owner.userId, ESTIMATIONS_AT_ONCE + 1, teamId],
    );
    const left = async () =>
      (await app.pool.query("select from estimation_readers where team_id = $1", [teamId])).rowCount;
    expect(await endSomeOfTeam(pool, teamId)).toBe(true);
    expect(await left()).toBe(1);
    expect(await endSomeOfTeam(pool, teamId)).toBe(false);
    expect(await left()).toBe(0);
    expect(await endSomeOfTeam(pool, teamId)).toBe(false);
  });
});
