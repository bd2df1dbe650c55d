import { expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { rowsRead } from "../../../tests/support/plans.ts";
import { createEstimationList } from "./list.ts";
import type { EstimationQuery } from "./list-store.ts";
import { addToLists } from "./listing-store.ts";

const app = await start();

/** Makes a user with so many estimations: those with even numbers are shops, the others portals, and their tags say so. */
async function fill(count: number): Promise<string> {
  const { userId } = await app.signUp();
  const { rows } = await app.pool.query<{ id: string }>(
    `insert into estimations (id, owner_id, title, description, tags, correlation, created_at, updated_at)
     select 'est_' || left(md5($1 || n), 26), $1, 'Project ' || n || case when n % 2 = 0 then ' shop' else ' portal' end, '',
       array['any', case when n % 2 = 0 then 'even' else 'odd' end], 0.2, now() - n * interval '1 s', now() - n * interval '1 s'
     from generate_series(1, $2::int) n returning id`,
    [userId, count],
  );
  await app.pool.query(
    "insert into estimation_readers (estimation_id, user_id, owns) select id, owner_id, true from estimations where owner_id = $1",
    [userId],
  );
  await addToLists(app.services.pool, ...rows.map(({ id }) => id));
  return userId;
}

test("a search for a text with a tag that no estimation has together reads no more rows if a user has ten times as many estimations", async () => {
  const [many, few] = [await fill(3_000), await fill(300)];
  await app.pool.query("vacuum analyze");
  for (const [q, ...tag] of [
    ["shop", "odd"],
    ["PORTAL", "even"],
    ["shop", "odd", "none"],
  ] as [string, ...string[]][]) {
    const [ofMany, ofFew] = [many, few].map((userId) => async () => {
      const found: unknown[] = [];
      const read = await rowsRead(app.pool, async (db) => {
        found.push(...(await createEstimationList(db)({ userId, sort: "updatedAt", limit: 21, after: null, q, tag })));
      });
      expect(found).toEqual([]);
      return read;
    }) as [() => Promise<number>, () => Promise<number>];
    expect(await ofMany(), `${q} ${tag}`).toBeLessThanOrEqual(2 * (await ofFew()));
  }
});

test("a search for a text with tags finds estimations with the text and one of the tags, once, in the order of the list", async () => {
  const userId = await fill(300);
  const list = createEstimationList(app.services.pool);
  const found = async (q: string, ...tag: string[]) => {
    const rows = await list({ userId, sort: "createdAt", limit: 3, after: null, q, tag });
    return rows.map(({ title }) => title);
  };
  expect(await found("299 p", "odd", "any")).toEqual(["Project 299 portal"]);
  expect(await found("29", "odd")).toEqual(["Project 29 portal", "Project 129 portal", "Project 229 portal"]);
  expect(await found("t 29", "odd", "even", "any")).toEqual([
    "Project 29 portal",
    "Project 290 shop",
    "Project 291 portal",
  ]);
  expect(await found("t 29", "none")).toEqual([]);
});

test("a search among what its reader owns looks up the access to none but the rows that it returns", async () => {
  const userId = await fill(3_000);
  await app.pool.query("vacuum analyze");
  const read = (filters: Partial<EstimationQuery>) =>
    rowsRead(
      app.pool,
      async (db) => {
        const rows = await createEstimationList(db)({
          ...{ userId, sort: "createdAt", limit: 21, after: null, q: "29" },
          ...filters,
        });
        expect(rows).toHaveLength(21);
      },
      "estimation_readers",
    );
  // More than a hundred have the text.
  expect(await read({ access: ["owner"] })).toBe(await read({}));
});

test("a list of what one person owns reads no more rows if the reader may read ten times as many of others, or the owner has them", async () => {
  const readerOf = async (shared: number, owned: number) => {
    const [{ userId }, other, owner] = [await app.signUp(), await fill(shared), await fill(owned)];
    await app.pool.query(
      `insert into estimation_readers (estimation_id, user_id, shared)
       select id, $1, 'viewer' from estimations where owner_id = $2 or (owner_id = $3 and title like 'Project 3__ %')`,
      [userId, other, owner],
    );
    const { rows } = await app.pool.query<{ id: string }>(
      "select estimation_id as id from estimation_readers where user_id = $1",
      [userId],
    );
    await app.pool.query("delete from estimation_listings where estimation_id = any($1)", [rows.map(({ id }) => id)]);
    await addToLists(app.services.pool, ...rows.map(({ id }) => id));
    return { userId, owner };
  };
  const [many, few] = [await readerOf(3_000, 3_000), await readerOf(300, 400)];
  await app.pool.query("vacuum analyze");
  for (const filters of [
    {},
    { status: ["draft"] },
    { status: ["exported"] },
    { q: "portal" },
    { q: "350 shop" },
    { q: "none" },
    { tag: ["odd"] },
    { q: "portal", tag: ["even"] },
    { access: ["editor"] },
  ] as Partial<EstimationQuery>[]) {
    const [ofMany, ofFew] = [many, few].map(({ userId, owner }) => async () => {
      const found: string[] = [];
      const read = await rowsRead(app.pool, async (db) => {
        const list = createEstimationList(db);
        const rows = await list({ userId, sort: "updatedAt", limit: 21, after: null, owner, ...filters });
        found.push(...rows.map(({ title }) => title));
      });
      return { read, found };
    }) as [() => Promise<Read>, () => Promise<Read>];
    const [large, small] = [await ofMany(), await ofFew()];
    expect(large.found, JSON.stringify(filters)).toEqual(small.found);
    expect(large.read, JSON.stringify(filters)).toBeLessThanOrEqual(2 * small.read);
  }
});

interface Read {
  readonly read: number;
  readonly found: string[];
}
