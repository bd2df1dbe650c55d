import type pg from "pg";
import { expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";
import { type Database, drizzleOver } from "../../db/database.ts";
import { findUsers } from "./search.ts";

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

it("finds by the start of the address, then of the name, then by anything inside, in any case", async () => {
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

it("takes what is typed as it is, wildcards included", async () => {
  expect((await search("100%")).map(({ email }) => email)).toEqual(["x@corp.example"]);
  expect((await search("under_")).map(({ email }) => email)).toEqual(["under_score@corp.example"]);
  for (const q of ["%", "_", "\\", "a%m", "%%%", "___"]) expect(await search(q)).toEqual([]);
});

it("shows id, address and name, and nothing else", async () => {
  const { rows } = await app.pool.query("select id from users where email = 'x@corp.example'");
  expect(await search("x@corp")).toEqual([{ id: rows[0].id, email: "x@corp.example", name: "Grace Adal 100%" }]);
});

it.each(["q=", "q=%20", "", `q=${"a".repeat(201)}`, "q=a&limit=50"])("refuses ?%s", async (query) => {
  const answer = await app.request("GET", `/api/users?${query}`, { token: caller.token });
  expect([answer.status, answer.body.message]).toEqual([400, "validation_failed"]);
});

it("answers ten at the most, and reads a few rows by an index however many users there are", async () => {
  await app.pool.query(
    `insert into users (id, email, name, created_at) select 'usr_' || lpad(n::text, 26, '0'), 'person' || n || '@many.example', 'Person ' || n, now()
     from generate_series(1, 50000) n`,
  );
  await app.pool.query("vacuum analyze users");
  for (const q of ["person", "p", "many.example", "person49999@"]) {
    expect(await search(q)).toHaveLength(q === "person49999@" ? 1 : 10);
  }
  const plans = await plansOf(async (db) => {
    for (const q of ["person4", "p", "person49999@", "erson 4999", "...", "€€€€", "a.b.c.d"])
      await findUsers(db, q, false);
  });
  expect(plans).toHaveLength(7);
  for (const plan of plans) {
    const read = [...plan.matchAll(/actual time=\S+ rows=([\d.]+)|Rows Removed by .*: (\d+)/g)].map(
      ([, rows, removed]) => Number(rows ?? removed),
    );
    expect(Math.max(...read), plan).toBeLessThan(1_000);
  }
});

/** Returns how the database executes every query of `work`. */
async function plansOf(work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const client = await app.pool.connect();
  const query = client.query.bind(client) as (query: { text: string }, values?: unknown[]) => Promise<pg.QueryResult>;
  const explaining = Object.create(client, {
    query: {
      async value(given: { text: string }, values: unknown[]) {
        const { rows } = await query({ text: `explain (analyze) ${given.text}` }, values);
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
        return query(given, values);
      },
    },
  });
  try {
    await work(drizzleOver(explaining));
  } finally {
    client.release();
  }
  return plans;
}
