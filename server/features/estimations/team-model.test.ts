import fc from "fast-check";
import { expect, test } from "vitest";
import { type AccessLevel, accessLevels } from "../../../contract/rights.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { runs } from "../../../tests/support/runs.ts";
import { createEstimationList } from "./list.ts";
import type { EstimationQuery } from "./list-store.ts";
import { estimationLookUp, levelOf, type ReadableEstimation } from "./look-up-store.ts";
import { fellowReadersOf, readersOf, setReader, setTeamLevel } from "./reader-store.ts";
import { join, leave, makeTeam, removeTeam } from "./testing/teams.ts";

const app = await start();
const { pool } = app.services;
const list = createEstimationList(pool);
const people = await Promise.all(Array.from({ length: 4 }, () => app.signUp()));
const at = <T>(all: readonly T[], n: number): T => all[n % all.length] ?? expect.fail("there is none");

const TEAMS = 3;
const ESTIMATIONS = 4;
const TAGS = ["web", "shop"];
const person = fc.nat(people.length - 1);
const team = fc.nat(TEAMS - 1);
const on = fc.nat(ESTIMATIONS - 1);
const level = fc.constantFrom("editor" as const, "viewer" as const, null);

const step = fc.oneof(
  fc.record({ kind: fc.constant("join" as const), team, person }),
  fc.record({ kind: fc.constant("join" as const), team, person }),
  fc.record({ kind: fc.constant("leave" as const), team, person }),
  fc.record({ kind: fc.constant("remove team" as const), team }),
  fc.record({ kind: fc.constant("share" as const), on, team, level }),
  fc.record({ kind: fc.constant("share" as const), on, team, level }),
  fc.record({ kind: fc.constant("give" as const), on, person, level }),
  fc.record({ kind: fc.constant("review" as const), on, person, asked: fc.boolean() }),
  fc.record({ kind: fc.constant("edit" as const), on, tags: fc.subarray(TAGS) }),
  fc.record({ kind: fc.constant("touch" as const), on }),
  fc.record({ kind: fc.constantFrom("delete" as const, "restore" as const), on }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What the rules say, with people by number and teams by id. */
interface Model {
  readonly members: Map<string, Set<number>>;
  readonly estimations: ModelEstimation[];
}

interface ModelEstimation {
  readonly id: string;
  readonly owner: number;
  readonly given: Map<number, "editor" | "viewer">;
  readonly reviewers: Set<number>;
  readonly teams: Map<string, "editor" | "viewer">;
  tags: readonly string[];
  isDeleted: boolean;
}

const highest = (levels: readonly AccessLevel[]) => accessLevels.find((one) => levels.includes(one));

/** The level of a person, and the team that it comes from: of several the first, and none where the person has it alone. */
function accessOf(
  { members }: Model,
  one: ModelEstimation,
  n: number,
): { level: AccessLevel; via: string | null } | null {
  const own: AccessLevel[] = one.owner === n ? ["owner"] : [];
  const given = one.given.get(n);
  if (given) own.push(given);
  if (one.reviewers.has(n)) own.push("reviewer");
  const teams = [...one.teams].filter(([id]) => members.get(id)?.has(n)).sort(([a], [b]) => (a < b ? -1 : 1));
  const level = highest([...own, ...teams.map(([, level]) => level)]);
  if (!level) return null;
  const via = own.includes(level) ? null : (teams.find(([, given]) => given === level)?.[0] ?? null);
  return { level, via };
}

async function take(model: Model, teams: readonly string[], one: Step): Promise<void> {
  const estimation = "on" in one ? at(model.estimations, one.on) : undefined;
  const path = `/api/estimations/${estimation?.id}`;
  const { token } = at(people, estimation?.owner ?? 0);
  const teamId = "team" in one ? at(teams, one.team) : "";
  const members = model.members.get(teamId);
  await app.clock.advance(1_000);
  switch (one.kind) {
    case "join":
      if (!members) return;
      members.add(one.person);
      return join(app, teamId, at(people, one.person));
    case "leave":
      members?.delete(one.person);
      return leave(app, teamId, at(people, one.person));
    case "remove team":
      model.members.delete(teamId);
      return removeTeam(app, teamId);
  }
  if (!estimation) return;
  const { id } = estimation;
  switch (one.kind) {
    case "share":
      if (one.level) estimation.teams.set(teamId, one.level);
      else estimation.teams.delete(teamId);
      await pool.transaction((tx) => setTeamLevel(tx, { id }, teamId, one.level));
      return;
    case "give": {
      const { userId } = at(people, one.person);
      if (one.level) estimation.given.set(one.person, one.level);
      else estimation.given.delete(one.person);
      return pool.transaction((tx) => setReader(tx, { estimationId: id, userId }, { shared: one.level }));
    }
    case "review": {
      const { userId } = at(people, one.person);
      if (one.asked) estimation.reviewers.add(one.person);
      else estimation.reviewers.delete(one.person);
      return pool.transaction((tx) => setReader(tx, { estimationId: id, userId }, { reviews: one.asked }));
    }
    case "edit":
    case "touch": {
      const body = one.kind === "edit" ? { tags: one.tags } : { description: String(app.clock.now().getTime()) };
      const { status } = await app.request("PATCH", path, { token, body });
      expect(status).toBe(estimation.isDeleted ? 404 : 200);
      if (one.kind === "edit" && !estimation.isDeleted) estimation.tags = one.tags;
      return;
    }
    case "delete":
      await app.request("DELETE", path, { token });
      estimation.isDeleted = true;
      return;
    case "restore":
      await app.request("POST", `${path}/restore-deleted`, { token });
      estimation.isDeleted = false;
  }
}

type Filters = Partial<Pick<EstimationQuery, "access" | "tag" | "team" | "q" | "status">>;

async function byPages(userId: string, sort: EstimationQuery["sort"], filters: Filters): Promise<ReadableEstimation[]> {
  const all: ReadableEstimation[] = [];
  let after: EstimationQuery["after"] = null;
  for (;;) {
    const rows = await list({ userId, sort, ...filters, limit: 2, after });
    all.push(...rows);
    const last = rows.at(-1);
    if (rows.length < 2 || !last) return all;
    after = { at: last[sort], id: last.id };
  }
}

/** What a list should show, in its order, from the model and the stored times. */
async function expectedList(model: Model, n: number, sort: EstimationQuery["sort"], filters: Filters) {
  const { access, tag, team, status } = filters;
  const { rows } = await app.pool.query<{ id: string }>(
    `select id from estimations order by ${sort === "updatedAt" ? "updated_at" : "created_at"} desc, id desc`,
  );
  const listed = rows.flatMap(({ id }) => {
    const one = model.estimations.find((known) => known.id === id);
    const held = one && !one.isDeleted ? accessOf(model, one, n) : null;
    if (!one || !held) return [];
    const isIn =
      (!access || access.includes(held.level)) &&
      (!tag || tag.some((word) => one.tags.includes(word))) &&
      (!team || (one.teams.has(team) && model.members.get(team)?.has(n))) &&
      (!status || status.includes("draft"));
    return isIn ? [{ id, ...held }] : [];
  });
  return listed;
}

const shown = (rows: readonly ReadableEstimation[]) =>
  rows.map(({ id, access, viaTeam }) => ({ id, level: access, via: viaTeam?.id ?? null }));

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const filters = (teams: readonly string[]) =>
  fc.record({
    sort: fc.constantFrom("updatedAt" as const, "createdAt" as const),
    access: optional(fc.subarray([...accessLevels], { minLength: 1 })),
    tag: optional(fc.subarray([...TAGS, "none"], { minLength: 1 })),
    team: optional(fc.constantFrom(...teams, "team_unknown")),
    status: optional(fc.constantFrom(["draft" as const], ["submitted" as const])),
    q: optional(fc.constantFrom("estimation", "es")),
  });

const ids = async (query: Parameters<typeof pool.execute>[0]) =>
  (await pool.execute<{ id: string }>(query)).rows.map((row) => Object.values(row)[0] as string).sort();
const idsOf = (numbers: readonly number[]) => numbers.map((n) => at(people, n).userId).sort();

async function check(model: Model, teams: readonly string[], seed: number): Promise<void> {
  const numbers = people.map((_, n) => n);
  for (const one of model.estimations) {
    for (const n of numbers) {
      const held = accessOf(model, one, n);
      const { userId } = at(people, n);
      const found = await estimationLookUp.find(pool, one.id, userId, "read");
      const expected = one.isDeleted ? null : held;
      expect(found && { level: found.access, via: found.viaTeam?.id ?? null }).toEqual(expected);
      const locked = await pool.transaction((tx) => estimationLookUp.lock(tx, one.id, userId, "read"));
      expect(locked && { level: locked.access, via: locked.viaTeam?.id ?? null }).toEqual(expected);
      expect(await levelOf(pool, one.id, userId)).toBe(held?.level ?? null);
    }
    for (const reviewer of [undefined, 1]) {
      const told = numbers.filter((n) => {
        const level = accessOf(model, one, n)?.level;
        return level && (level !== "reviewer" || n === reviewer);
      });
      const { userId } = at(people, 1);
      expect(await ids(readersOf(one.id, reviewer === undefined ? "" : userId))).toEqual(idsOf(told));
    }
  }
  const some = fc.sample(filters(teams), { numRuns: 4, seed });
  for (const n of numbers) {
    const { userId } = at(people, n);
    for (const { sort, ...filter } of [{ sort: "updatedAt" as const }, ...some]) {
      const expected = await expectedList(model, n, sort, filter as Filters);
      expect(shown(await byPages(userId, sort, filter as Filters)), JSON.stringify({ n, sort, filter })).toEqual(
        expected,
      );
    }
    const fellows = numbers.filter(
      (other) =>
        other === n ||
        [...model.members.values()].some((all) => all.has(n) && all.has(other)) ||
        model.estimations.some((one) => !one.isDeleted && accessOf(model, one, n) && accessOf(model, one, other)),
    );
    expect(await ids(fellowReadersOf(userId)), `fellows of ${n}`).toEqual(idsOf(fellows));
  }
}

async function begin(): Promise<{ model: Model; teams: readonly string[] }> {
  const ofTests = people.map(({ userId }) => userId);
  await app.pool.query("delete from estimations where owner_id = any($1)", [ofTests]);
  await app.pool.query("delete from teams");
  const teams = await Promise.all(Array.from({ length: TEAMS }, () => makeTeam(app)));
  const estimations: ModelEstimation[] = [];
  for (let n = 0; n < ESTIMATIONS; n += 1) {
    const owner = n % 2;
    const { token } = at(people, owner) as TestUser;
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: `Estimation ${n}` } });
    estimations.push({
      ...{ id: String(data.estimation?.id), owner, given: new Map(), reviewers: new Set(), teams: new Map() },
      ...{ tags: [], isDeleted: false },
    });
  }
  return { model: { members: new Map(teams.map((id) => [id, new Set()])), estimations }, teams };
}

test("after any joins, leaves, shares and levels, lists, searches, access and receivers are those of the model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), fc.nat(), async (steps, seed) => {
      const { model, teams } = await begin();
      for (const [n, one] of steps.entries()) {
        await take(model, teams, one);
        if (n === steps.length >> 1) await check(model, teams, seed);
      }
      await check(model, teams, seed + 1);
    }),
    { numRuns: runs(50) },
  );
});
