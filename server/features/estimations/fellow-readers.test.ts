import { beforeAll, describe, expect, it } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { setReader, setTeamLevel } from "./reader-store.ts";
import { join, leave, makeTeam } from "./testing/teams.ts";

const app = await start({ config: { userDirectory: "shared" } });
const open = await start({ config: { userDirectory: "open" } });
const pool = app.services.pool;
const [owner, reader, other, stranger] = (await Promise.all(
  ["owner", "reader", "other", "stranger"].map((name) => app.signUp(`${name}@team.example`)),
)) as [TestUser, TestUser, TestUser, TestUser];

const search = async ({ token }: TestUser, q: string, on = app, more = {}) => {
  const { status, data } = await on.request("GET", `/api/users?${new URLSearchParams({ q, ...more })}`, { token });
  expect(status).toBe(200);
  return [...(data.users as unknown as { email: string }[])].map(({ email }) => email);
};

const create = async ({ token }: TestUser, title: string) => {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title } });
  return String(data.estimation?.id);
};

describe("in a shared directory", () => {
  let estimationId = "";
  beforeAll(async () => {
    estimationId = await create(owner, "Shared");
    await setReader(pool, { estimationId, userId: reader.userId }, { shared: "viewer" });
    await setReader(pool, { estimationId, userId: other.userId }, { shared: "editor" });
    await create(stranger, "Alone");
  });

  it("people find those with whom they can read an estimation, and themselves", async () => {
    const team = ["other@team.example", "owner@team.example", "reader@team.example"];
    for (const user of [owner, reader, other]) expect(await search(user, "team.example")).toEqual(team);
    expect(await search(stranger, "team.example")).toEqual(["stranger@team.example"]);
    expect(await search(owner, "o")).toEqual(["other@team.example", "owner@team.example"]);
  });

  it("a complete address finds any user, in upper or lower case; a part of it does not", async () => {
    expect(await search(owner, " Stranger@TEAM.example ")).toEqual(["stranger@team.example"]);
    for (const part of ["stranger@team.exampl", "tranger@team.example", "stranger"]) {
      expect(await search(owner, part)).toEqual([]);
    }
  });

  it("people are no longer found once the access ends or the estimation is deleted", async () => {
    const id = await create(stranger, "For a while");
    await setReader(pool, { estimationId: id, userId: reader.userId }, { shared: "viewer" });
    expect(await search(reader, "stranger")).toHaveLength(1);
    await setReader(pool, { estimationId: id, userId: reader.userId }, { shared: null });
    expect(await search(reader, "stranger")).toEqual([]);
    await setReader(pool, { estimationId: id, userId: reader.userId }, { shared: "viewer" });
    expect(await search(stranger, "reader")).toHaveLength(1);
    await app.request("DELETE", `/api/estimations/${id}`, { token: stranger.token });
    expect(await search(stranger, "reader")).toEqual([]);
    expect(await search(reader, "stranger"), "whose list of deleted estimations has it").toEqual([]);
  });

  it("members of a common team find each other, also without a common estimation, and as long as they belong to it", async () => {
    const [ada, bob] = [await app.signUp("ada@crew.example"), await app.signUp("bob@crew.example")];
    const teamId = await makeTeam(app, ada);
    expect(await search(ada, "crew.example")).toEqual(["ada@crew.example"]);
    await join(app, teamId, bob);
    for (const user of [ada, bob]) {
      expect(await search(user, "crew.example")).toEqual(["ada@crew.example", "bob@crew.example"]);
    }
    await leave(app, teamId, bob);
    for (const user of [ada, bob]) expect(await search(user, "crew.example")).toEqual([user.email]);
  });

  it("whoever shares an estimation with a team is found by its members, and finds them", async () => {
    const [sharer, member] = [await app.signUp("sharer@guild.example"), await app.signUp("member@guild.example")];
    const teamId = await makeTeam(app, member);
    const id = await create(sharer, "For a team");
    await pool.transaction((tx) => setTeamLevel(tx, { id }, teamId, "viewer"));
    const both = ["member@guild.example", "sharer@guild.example"];
    for (const user of [sharer, member]) expect(await search(user, "guild.example")).toEqual(both);
    await leave(app, teamId, member);
    expect(await search(sharer, "guild.example")).toEqual(["sharer@guild.example"]);
    expect(await search(member, "guild.example")).toEqual(["member@guild.example"]);
  });

  it("only the newest 2,000 estimations of the caller count", async () => {
    const [collector, first, last] = [
      await app.signUp(),
      await app.signUp("first@many.example"),
      await app.signUp("last@many.example"),
    ];
    const oldest = await create(collector, "Oldest");
    await setReader(pool, { estimationId: oldest, userId: first.userId }, { shared: "viewer" });
    const copies = async (from: number, to: number) => {
      await app.pool.query(
        `insert into estimations select copy.*
         from estimations e, generate_series($2::int, $3::int) n,
           jsonb_populate_record(e, jsonb_build_object('id', overlay(e.id placing 'zzzz' || lpad(n::text, 6, '0') from 5))) copy
         where e.id = $1`,
        [oldest, from, to],
      );
      await app.pool.query(
        `insert into estimation_readers (estimation_id, user_id, owns) select e.id, $1, true from estimations e
         where not exists (select from estimation_readers r where r.estimation_id = e.id)`,
        [collector.userId],
      );
      await app.pool.query(
        `insert into estimation_listings select copy.*
         from estimation_listings l, estimations e, jsonb_populate_record(l, jsonb_build_object('estimation_id', e.id)) copy
         where l.estimation_id = $1 and l.holder_id = $2 and e.id like 'est_zzzz%'
         and not exists (select from estimation_listings x where x.estimation_id = e.id)`,
        [oldest, collector.userId],
      );
    };
    await copies(1, 1_999);
    expect(await search(collector, "many.example")).toEqual(["first@many.example"]);
    await copies(2_000, 2_000);
    expect(await search(collector, "many.example")).toEqual([]);
    const { rows } = await app.pool.query("select max(id) as id from estimations");
    await setReader(pool, { estimationId: rows[0].id, userId: last.userId }, { shared: "viewer" });
    expect(await search(collector, "many.example")).toEqual(["last@many.example"]);
  });
});

describe("searches", () => {
  it("are limited to 30 a minute for each user, in addition to the general limit", async () => {
    const [user, another] = [await app.signUp(), await app.signUp()];
    const path = "/api/users?q=nobody";
    for (let n = 0; n < 30; n += 1) expect((await app.request("GET", path, user)).status).toBe(200);
    const refused = await app.request("GET", path, user);
    expect([refused.status, refused.body.message]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit-policy")).toBe('"endpoint";q=30;w=60');
    expect((await app.request("GET", "/api/auth/me", user)).status).toBe(200);
    expect((await app.request("GET", path, another)).status).toBe(200);
    await app.clock.advance(60_000);
    expect((await app.request("GET", path, user)).status).toBe(200);
  });

  it("find everybody in an open directory", async () => {
    const caller = await open.signUp();
    await open.signUp("stranger@team.example");
    expect(await search(caller, "team.ex", open)).toEqual(["stranger@team.example"]);
    // Unless only those are asked for with whom the caller shares something; the caller is always among them.
    expect(await search(caller, "team.ex", open, { shared: "true" })).toEqual([]);
    expect(await search(caller, caller.email.slice(0, 6), open, { shared: "true" })).toEqual([caller.email]);
  });
});
