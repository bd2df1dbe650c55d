import { sql } from "drizzle-orm";
import type pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";
import { type Database, drizzleOver } from "../../db/database.ts";
import { findUsers } from "./search-store.ts";

const app = await start();
const caller = await app.signUp("caller@example.com");
const search = async (q: string) => {
  const { status, data } = await app.request("GET", `/api/users?${new URLSearchParams({ q })}`, {
    token: caller.token,
  });
  expect(status).toBe(200);
  return [...(data.users as unknown as { id: string; name: string; email: string }[])];
};
const add = (email: string, name: string) =>
  app.request("POST", "/api/auth/register", { body: { email, name, password: "correct horse battery" } });

await add("zoe@example.com", "Ada Moreau");
await add("ada@example.com", "Zoë Ådal");
await add("x@corp.example", "Grace Adal 100%");
await add("under_score@corp.example", "Lin");

it("finds by the start of the address, then of the name, then by any part of them, ignoring case", async () => {
  expect((await search("ADA")).map(({ email }) => email)).toEqual([
    "ada@example.com",
    "zoe@example.com",
    "x@corp.example",
  ]);
  expect((await search("zo")).map(({ email }) => email)).toEqual(["zoe@example.com", "ada@example.com"]);
  expect((await search("  moreau ")).map(({ name }) => name)).toEqual(["Ada Moreau"]);
  expect((await search("zoë å")).map(({ email }) => email)).toEqual(["ada@example.com"]);
  expect(await search("nobody at all")).toEqual([]);
});

it("searches for the text as it is typed: wildcards have no meaning", async () => {
  expect((await search("100%")).map(({ email }) => email)).toEqual(["x@corp.example"]);
  expect((await search("under_")).map(({ email }) => email)).toEqual(["under_score@corp.example"]);
  for (const q of ["%", "_", "\\", "a%m", "%%%", "___"]) expect(await search(q)).toEqual([]);
});

it("searches inside of names only for text with three consecutive letters or digits", async () => {
  expect((await search("rac")).map(({ email }) => email)).toEqual(["x@corp.example"]);
  for (const q of ["ra", "e A", "0%", "l 1"]) expect(await search(q)).toEqual([]);
});

it("shows id, address and name, and nothing else", async () => {
  const { rows } = await app.pool.query("select id from users where email = 'x@corp.example'");
  expect(await search("x@corp")).toEqual([{ id: rows[0].id, email: "x@corp.example", name: "Grace Adal 100%" }]);
});

it.each(["q=", "q=%20", "", `q=${"a".repeat(201)}`, "q=a&limit=50"])("refuses ?%s", async (query) => {
  const response = await app.request("GET", `/api/users?${query}`, { token: caller.token });
  expect([response.status, response.body.message]).toEqual([400, "validation_failed"]);
});

const USERS = 20_000;

describe("with many users", () => {
  beforeAll(async () => {
    // Indexing them all at once is quicker than one by one.
    const { rows } = await app.pool.query("select pg_get_indexdef('users_by_grams'::regclass) as definition");
    await app.pool.query("drop index users_by_grams");
    await app.pool.query(
      `insert into users (id, email, name, created_at, email_verified_at)
       select 'usr_' || lpad(n::text, 26, '0'), 'person' || n || '@many.example', 'Person ' || n, now(),
         case when n % 1000 = 0 then now() end
       from generate_series(1, $1::int) n`,
      [USERS],
    );
    await app.pool.query(rows[0].definition);
    await app.pool.query("vacuum analyze users");
  });

  it("returns at most ten", async () => {
    for (const q of ["person", "p", "many.example"]) expect(await search(q)).toHaveLength(10);
    expect(await search("person19999@")).toHaveLength(1);
  });

  // Text that no user has: without trigrams, of letters that trigrams do not know, of characters that all users have.
  const rare = ["...", "€€€€", "a.b.c.d", "любовь", "日本語", "ample.per", "ample.per 1", "person999999@"];

  it.each([
    ["everybody", false],
    ["those with a verified address", true],
  ])("reads few rows by an index, whatever the text, searching %s", async (_, onlyVerified) => {
    const texts = [...rare, "person4", "p", "person19999@", "erson 1999", "many.example"];
    const read = await rowsRead(async (db) => {
      for (const q of texts) await findUsers(db, q, { onlyVerified, among: null });
    });
    expect(read).toHaveLength(texts.length);
    expect(Math.max(...read), String(read)).toBeLessThan(2_000);
  });

  it("reads only the users who may be found, and each once", async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `usr_${String(n + 1).padStart(26, "0")}`);
    const among = sql`select unnest(${sql.param(ids)}::text[])`;
    const texts = [...rare, "person", "many.example", "PERSON7@many.example"];
    const read = await rowsRead(async (db) => {
      for (const q of texts) await findUsers(db, q, { onlyVerified: false, among });
      expect(await findUsers(db, "person7", { onlyVerified: false, among })).toHaveLength(10);
      const [byAddress] = await findUsers(db, `PERSON${USERS}@many.example`, { onlyVerified: true, among });
      expect(byAddress?.name).toBe(`Person ${USERS}`);
      expect(await findUsers(db, `person${USERS}`, { onlyVerified: false, among })).toEqual([]);
    });
    expect(Math.max(...read)).toBeLessThan(1_000);
  });
});

/** Returns how many rows of `users` each statement of `work` read, found or not, in a table or an index of it. */
async function rowsRead(work: (db: Database) => Promise<unknown>): Promise<number[]> {
  const read: number[] = [];
  const client = await app.pool.connect();
  const total = async () => {
    await client.query("select pg_stat_force_next_flush()");
    const { rows } = await client.query(
      "select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_user_tables where relname = 'users'",
    );
    return Number(rows[0].n);
  };
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>;
  const counting = Object.create(client, {
    query: {
      async value(...given: unknown[]) {
        const before = await total();
        const result = await query(...given);
        read.push((await total()) - before);
        return result;
      },
    },
  });
  try {
    await work(drizzleOver(counting));
  } finally {
    client.release();
  }
  return read;
}
