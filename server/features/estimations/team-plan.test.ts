import { beforeAll, expect, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { plansOf, rowsRead } from "../../../tests/support/plans.ts";
import { endSomeOfTeam } from "./end-team-store.ts";
import { createEstimationList } from "./list.ts";
import type { EstimationQuery } from "./list-store.ts";
import { addToLists } from "./listing-store.ts";
import { estimationLookUp } from "./look-up-store.ts";
import { fellowReadersOf, listWorkedOn, readersOf } from "./reader-store.ts";
import { makeTeam } from "./testing/teams.ts";

const app = await start();
const OF_TEAM = 200;
const PAGE = 21;

/** Members of so many teams, each with as many estimations of a stranger. */
const members = new Map<number, TestUser>();
let estimationId = "";

beforeAll(async () => {
  const sharer = await app.signUp();
  for (const count of [1, 5, 50]) {
    const member = await app.signUp();
    const teams = await Promise.all(Array.from({ length: count }, () => makeTeam(app, member)));
    members.set(count, member);
    const { rows } = await app.pool.query<{ id: string }>(
      `with made as (
         insert into estimations (id, owner_id, title, description, tags, status, correlation, created_at, updated_at)
         select 'est_' || left(md5($2 || n), 26), $1, 'Project ' || n, '', array['all'],
           case when n % 2 = 0 then 'draft' else 'submitted' end, 0.2, now() - n * interval '1 s', now() - n * interval '1 s'
         from generate_series(1, $3::int) n returning id),
       owned as (insert into estimation_readers (estimation_id, user_id, owns) select id, $1, true from made)
       insert into estimation_readers (estimation_id, team_id, shared)
       select id, ($4::text[])[1 + n % $5], case when n / $5 % 2 = 0 then 'editor' else 'viewer' end
       from (select id, row_number() over (order by id) as n from made) as numbered returning estimation_id as id`,
      [sharer.userId, member.userId, count * OF_TEAM, teams, count],
    );
    await addToLists(app.services.pool, ...rows.map(({ id }) => id));
    estimationId = rows[0]?.id ?? "";
  }
  // So many other teams that a planner with a choice would not read all of them.
  await app.pool.query(
    `with made as (
       insert into teams (id, name, created_at) select 'team_' || lpad(n::text, 26, '0'), 'Other', now()
       from generate_series(1, 5000) n returning id)
     insert into team_members select id, $1, 'admin', now() from made`,
    [sharer.userId],
  );
  await app.pool.query("vacuum analyze");
});

const lists: readonly Partial<EstimationQuery>[] = [
  {},
  { sort: "createdAt" },
  { status: ["draft"] },
  { access: ["editor"] },
  { tag: ["all", "none"] },
  { q: "project" },
];

test("a list reads a page of each team and of each level, however many estimations they have", async () => {
  for (const [teams, { userId }] of members) {
    for (const query of lists) {
      const read = await rowsRead(app.pool, async (db) => {
        const rows = await createEstimationList(db)({ userId, sort: "updatedAt", limit: PAGE, after: null, ...query });
        expect(rows).toHaveLength(PAGE);
      });
      // A search looks at a hundred rows first; the user too is a holder; a status has both levels of a team.
      const rows = query.q ? 100 : PAGE;
      const ranges = (teams + 1) * (query.sort === "createdAt" ? 4 : query.status ? 2 : query.access ? 4 : 1);
      // Beside the ranges: of each row the estimation, its readers and the team; and the memberships.
      expect(read, JSON.stringify({ teams, query })).toBeLessThanOrEqual(rows * ranges + 5 * rows + teams);
    }
  }
});

test("what a reader owns of a team's, of which nothing is theirs, is found without reading what the team has", async () => {
  const { userId } = members.get(1) ?? expect.fail();
  const { rows } = await app.pool.query("select team_id as team from team_members where user_id = $1", [userId]);
  for (const filters of [
    { access: ["owner"] },
    { owner: userId },
    { access: ["owner"], owner: "usr_other" },
  ] as const) {
    const read = await rowsRead(app.pool, async (db) => {
      const list = createEstimationList(db);
      const query = { userId, sort: "updatedAt", limit: PAGE, after: null, team: rows[0].team } as const;
      expect(await list({ ...query, ...filters })).toEqual([]);
    });
    expect(read, JSON.stringify(filters)).toBeLessThanOrEqual(2);
  }
});

test("the newest estimations that a user works on are read in the order of an index, however many there are", async () => {
  for (const [teams, { userId }] of members) {
    const { newest, isCut } = await listWorkedOn(app.services.pool, userId, PAGE);
    expect([newest.length, isCut]).toEqual([PAGE, true]);
    const plans = await plansOf(app.pool, (db) => listWorkedOn(db, userId, PAGE));
    expect(plans.at(-1), `${teams}`).toMatch(/^ +-> {2}Limit.*\n +-> {2}Merge Append/m);
    expect(plans.at(-1), `${teams}`).not.toMatch(/Seq Scan|Bitmap/);
  }
});

test("no statement about members reads a whole table", async () => {
  for (const [teams, { userId }] of members) {
    const plans = await plansOf(app.pool, async (db) => {
      await estimationLookUp.find(db, estimationId, userId, "read");
      await estimationLookUp.findWithTree(db, estimationId, userId, "read");
      await estimationLookUp.lock(db, estimationId, userId, "read");
      await db.execute(readersOf(estimationId));
      await endSomeOfTeam(db, "team_none");
    });
    expect(plans.length).toBeGreaterThanOrEqual(5);
    for (const plan of plans) expect(plan, `${teams}`).not.toMatch(/Seq Scan on (estimation|team_members)/);
  }
});

test("a search for the users whom a member knows reads a bounded number of rows", async () => {
  const { userId } = members.get(50) ?? expect.fail();
  const read = await rowsRead(app.pool, async (db) => {
    expect((await db.execute(fellowReadersOf(userId))).rows).toHaveLength(2);
  });
  expect(read).toBeLessThan(50 * OF_TEAM * 2);
});
