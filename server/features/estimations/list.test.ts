import fc from "fast-check";
import type pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { accessLevels } from "../../../contract/rights.ts";
import { estimationStatuses } from "../../../contract/values/statuses.ts";
import { start } from "../../../tests/harness.ts";
import type { Database } from "../../db/database.ts";
import { drizzleOver } from "../../db/database.ts";
import { createEstimationList } from "./list.ts";
import type { EstimationQuery } from "./list-store.ts";
import { addToLists } from "./listing-store.ts";

const app = await start();
const [user, other] = [await app.signUp(), await app.signUp()];
const list = createEstimationList(app.services.pool);

const ROWS = 400;
const TAGS = ["web", "b2c", "mobile"];
const TITLES = ["Shop", "shop 100% _new", "Größe", "GRÖSSE \\ x", "Portal", "a", "ab", "Ünïcode 😀 face", "x'y"];

beforeAll(async () => {
  for (const [prefix, { userId }] of [["a", user] as const, ["b", other] as const]) {
    await app.pool.query(
      `insert into estimations (id, owner_id, title, description, client_name, tags, correlation, status, created_at, updated_at)
       select 'est_' || $2 || lpad(n::text, 25, '0'), $1,
         ($4::text[])[1 + (n / 7) % cardinality($4::text[])] || case when n = 390 then ' needle' else '' end, '',
         case when n % 4 = 0 then 'Acme ' || n end, ($5::text[])[1:n % 4], 0.2, ($6::text[])[1 + (n / 3) % 3],
         now() + (n % 50) * interval '1 second', now() - (n % 60) * interval '1 second'
       from generate_series(1, $3::int) n`,
      [userId, prefix, ROWS, TITLES, TAGS, estimationStatuses],
    );
    await app.pool.query(
      "insert into estimation_readers (estimation_id, user_id, owns) select id, owner_id, true from estimations where owner_id = $1",
      [userId],
    );
  }
  await app.pool.query(
    `insert into estimation_readers (estimation_id, user_id, shared, reviews)
     select id, $1, (array['editor', 'viewer', null])[1 + abs(hashtext(id)) % 3], true from estimations
     where owner_id = $2 and abs(hashtext(id)) % 5 < 2`,
    [user.userId, other.userId],
  );
  const { rows } = await app.pool.query<{ id: string }>("select id from estimations");
  await addToLists(app.services.pool, ...rows.map(({ id }) => id));
});

type Filters = Pick<EstimationQuery, "sort" | "status" | "access" | "tag" | "owner" | "q">;

/** The ids of the whole list, read without any of its indexes. */
async function naively(userId: string, { sort, status, access, tag, owner, q }: Filters): Promise<string[]> {
  const at = sort === "updatedAt" ? "updated_at" : "created_at";
  const { rows } = await app.pool.query<{ id: string }>(
    `select e.id from estimations e join estimation_readers r on r.estimation_id = e.id
     where r.user_id = $1 and e.deleted_at is null and ($2::text[] is null or e.status = any($2)) and ($3::text[] is null or r.level = any($3))
       and ($4::text[] is null or $4 && e.tags)
       and ($5::text is null or strpos(lower(e.title || E'\\n' || coalesce(e.client_name, '')), lower($5)) > 0)
       and ($6::text is null or e.owner_id = $6)
     order by e.${at} desc, e.id desc`,
    [userId, status ?? null, access ?? null, tag ?? null, q ?? null, owner ?? null],
  );
  return rows.map(({ id }) => id);
}

async function byPages(userId: string, filters: Filters, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: EstimationQuery["after"] = null;
  for (;;) {
    const rows = await list({ userId, ...filters, limit, after });
    ids.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (rows.length < limit || !last) return ids;
    after = { at: last[filters.sort], id: last.id };
  }
}

const anyOf = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const someOf = <T>(...values: readonly T[]) =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });

describe("the list of estimations that a user may read", () => {
  it("is in order and complete, whatever the filters and the size of its pages", async () => {
    const filters = fc.record({
      sort: fc.constantFrom("updatedAt", "createdAt"),
      status: someOf(...estimationStatuses),
      access: someOf(...accessLevels),
      tag: someOf(...TAGS, "none"),
      owner: anyOf(user.userId, other.userId, "usr_none"),
      q: anyOf(
        "s",
        "h",
        "o",
        "sh",
        "SHOP",
        "acme",
        "acme 1",
        "größe",
        "GRÖSSE",
        "100%",
        "_",
        "%",
        "\\",
        "😀",
        "needle",
        "none",
        "p\nA",
        "x'y",
      ),
    });
    const whose = fc.constantFrom(user.userId, other.userId);
    await fc.assert(
      fc.asyncProperty(filters, whose, fc.integer({ min: 7, max: 101 }), async (given, userId, limit) => {
        expect(await byPages(userId, given as Filters, limit)).toEqual(await naively(userId, given as Filters));
      }),
      { numRuns: 150 },
    );
  });

  it("finds the only estimation with a text among many without it, from any page before it", async () => {
    for (const sort of ["updatedAt", "createdAt"] as const) {
      for (const q of ["needle", "eedl", "NEEDLE"]) {
        const found = await byPages(user.userId, { sort, q }, 21);
        expect(found).toEqual(await naively(user.userId, { sort, q }));
        expect(found.length).toBeGreaterThan(0);
      }
    }
  });

  it("returns each with the reader's level", async () => {
    const rows = await list({ userId: user.userId, sort: "createdAt", limit: 2 * ROWS, after: null });
    const levels = await app.pool.query("select estimation_id, level from estimation_readers where user_id = $1", [
      user.userId,
    ]);
    const expected = new Map(levels.rows.map((row) => [row.estimation_id, row.level]));
    expect(new Map(rows.map(({ id, access }) => [id, access]))).toEqual(expected);
  });
});

describe("the plans of lists", () => {
  /** The plans of all statements of a list that `query` needs, as they are for whatever values. */
  async function plansOf(query: Partial<EstimationQuery>): Promise<string[]> {
    const texts: string[] = [];
    const $client = {
      query(config: { text: string; values: unknown[] }) {
        texts.push(config.text);
        return app.pool.query(config);
      },
    };
    const watched = createEstimationList(Object.assign(drizzleOver(app.pool), { $client }) as unknown as Database);
    await watched({ userId: user.userId, sort: "updatedAt", limit: 21, after: null, ...query });
    const plans: string[] = [];
    for (const text of texts) plans.push(await planOf(app.pool, text));
    return plans;
  }

  async function planOf(pool: pg.Pool, text: string): Promise<string> {
    const { rows } = await pool.query(`explain (generic_plan) ${text}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  const indexes = { updatedAt: "estimation_listings_by_update", createdAt: "estimation_listings_by_creation" } as const;

  beforeAll(async () => {
    // So many that a planner with a choice would read the table.
    await app.pool.query(
      `insert into estimation_listings select e.id, e.owner_id, 'more ' || n, e.status, 'owner', e.updated_at, e.created_at, e.owner_id
       from estimations e, generate_series(1, 40) n`,
    );
    await app.pool.query(
      `insert into teams select 'team_' || lpad(n::text, 26, '0'), 'Team', now() from generate_series(1, 3000) n`,
    );
    await app.pool.query("insert into team_members select id, $1, 'member', now() from teams", [user.userId]);
    await app.pool.query("vacuum analyze");
  });

  /** The only scans of a list: of the listings in the order of an index, and of single rows by the ids that they name. */
  const isOfIndexes = (plan: string, index: string) => {
    const scans = [
      ...plan.matchAll(/(?:Index (?:Only )?Scan|Seq Scan|Bitmap)[^(]* using (\w+) on (\w+)|Seq Scan|Bitmap/g),
    ];
    expect(scans.filter(([, name]) => name === index)).toHaveLength(1);
    const others = scans.filter(([, name]) => name !== index).map(([, name]) => name);
    expect([...new Set(others)].sort()).toEqual([
      "estimation_readers_by_holder",
      "estimation_readers_teams",
      "estimations_pkey",
      "team_members_by_user",
      "teams_pkey",
    ]);
  };

  it("read one range for each holder in the order of its index if sorted by time of update, and nothing else", async () => {
    for (const query of [{}, { tag: ["web", "b2c", "none"] }, { after: { at: new Date(0), id: "est_1" } }]) {
      for (const q of [undefined, "shop"]) {
        const [plan = ""] = await plansOf({ ...query, q });
        isOfIndexes(plan, "estimation_listings_latest");
        expect(plan).toMatch(/Scan Backward using estimation_listings_latest/);
        expect(plan).toMatch(/Index Cond: \(\(holder_id = .* AND \(tag = .* AND \(ROW\(/);
      }
    }
  });

  it.each(["updatedAt", "createdAt"] as const)(
    "read a range for each holder, status and level if they are filtered, sorted by %s",
    async (sort) => {
      const filters = [{ status: ["draft" as const] }, { access: ["viewer" as const], tag: ["web", "none"] }];
      for (const query of sort === "createdAt" ? [{}, ...filters] : filters) {
        for (const q of [undefined, "shop"]) {
          const [plan = ""] = await plansOf({ sort, ...query, q });
          isOfIndexes(plan, indexes[sort]);
          expect(plan).toMatch(
            /Index Cond: \(\(holder_id = .* AND \(tag = .* AND \(status = .* AND \(level = .* AND \(ROW\(/,
          );
        }
      }
    },
  );

  it.each(["updatedAt", "createdAt"] as const)("read only ranges of what an owner has, sorted by %s", async (sort) => {
    const index = { updatedAt: "by_update", createdAt: "by_creation" }[sort];
    for (const query of [{}, { status: ["draft" as const] }, { access: ["viewer" as const], tag: ["web"] }]) {
      for (const q of [undefined, "shop"]) {
        const [plan = "", search] = await plansOf({ sort, ...query, owner: other.userId, q });
        isOfIndexes(plan, `estimation_listings_of_owner_${index}`);
        expect(plan).toMatch(
          /Index Cond: \(\(holder_id = .* AND \(owner_id = .* AND \(tag = .* AND \(status = .* AND \(level = .* AND \(ROW\(/,
        );
        if (search) expect(search).toMatch(/Bitmap Index Scan on estimation_texts_search .*\n.*owner_id = /);
      }
    }
  });

  it("find a rare text of an owner through the index of texts", async () => {
    const [, search = ""] = await plansOf({ q: "needle", owner: other.userId });
    expect(search).toMatch(/Bitmap Index Scan on estimation_texts_search .*\n.*readers && .*owner_id = /);
    expect(search).not.toContain("Seq Scan");
  });

  it("find a rare text through the index of texts and the user's list", async () => {
    const [, search = ""] = await plansOf({ q: "needle" });
    expect(search).toMatch(/Bitmap Index Scan on estimation_texts_search .*\n.*readers && .*text_grams\(text\) @> /);
    expect(search).not.toContain("Seq Scan");
  });
});
