import { createHash, randomUUID } from "node:crypto";
import type pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { type Retention, retention } from "../../scripts/retention.ts";
import { startService } from "../../server/app.ts";
import { start, until } from "../harness.ts";
import { patient } from "../support/patience.ts";

const YEARS_MS = 11 * 366 * 86_400_000;

/** Tables of which nothing stays for longer than the longest retention that can be set. */
const TABLES = Object.keys(retention).filter((table) => "after" in (retention[table]?.ends ?? {}));

interface Catalogue {
  readonly tables: readonly string[];
  /** "table index", and "table column table" for each foreign key. */
  readonly indexes: readonly string[];
  readonly references: readonly string[];
}

async function readCatalogue(pool: pg.Pool): Promise<Catalogue> {
  const list = async (query: string) => (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name);
  return {
    tables: await list("select tablename as name from pg_tables where schemaname = 'public' order by 1"),
    indexes: await list("select tablename || ' ' || indexname as name from pg_indexes where schemaname = 'public'"),
    references: await list(
      "select conrelid::regclass || ' ' || confrelid::regclass as name from pg_constraint where contype = 'f'",
    ),
  };
}

/** Returns what is wrong with what is declared about the tables of a database, given the names of the worker's jobs. */
function wrongIn(
  { tables, indexes, references }: Catalogue,
  declared: typeof retention,
  jobs: readonly string[],
): string[] {
  const names = Object.keys(declared);
  const wrong = [
    ...tables.filter((table) => !names.includes(table)).map((table) => `${table} is not declared`),
    ...names.filter((table) => !tables.includes(table)).map((table) => `${table} does not exist`),
  ];
  for (const [table, { ends }] of Object.entries(declared)) {
    if ("with" in ends && !references.includes(`${table} ${ends.with}`)) wrong.push(`${table} has no ${ends.with}`);
    if ("job" in ends && !indexes.includes(`${table} ${ends.index}`)) wrong.push(`${table} has no index ${ends.index}`);
    if ("job" in ends && !jobs.includes(ends.job)) wrong.push(`there is no job ${ends.job}`);
  }
  return wrong;
}

test("the worker removes everything whose retention is over, of every kind", async () => {
  const app = await start();
  const { token, userId, email } = await app.signUp();
  const call = async (method: string, path: string, body?: object) => {
    const headers: Record<string, string> = method === "POST" ? { "idempotency-key": randomUUID() } : {};
    const { status, data } = await app.request(method, path, { token, headers, ...(body ? { body } : {}) });
    expect(status).toBeLessThan(300);
    return data;
  };
  const { apiKey } = await call("POST", "/api/api-keys", { name: "old", scopes: [] });
  await call("DELETE", `/api/api-keys/${apiKey?.id}`);
  const { estimation } = await call("POST", "/api/estimations", { title: "Old" });
  await call("PUT", `/api/estimations/${estimation?.id}/tree`, {
    nodes: [{ title: "Old", kind: "group", options: [{ title: "Older", hours: 8 }] }],
  });
  await call("DELETE", `/api/estimations/${estimation?.id}`);
  const { webhook } = await call("POST", "/api/webhooks", { url: "https://localhost:1/", events: ["share.invited"] });
  await call("POST", `/api/webhooks/${webhook?.id}/test`);
  await call("DELETE", `/api/webhooks/${webhook?.id}`);
  await app.request("POST", "/api/auth/login", { body: { email, password: "a wrong password" } });
  const { estimation: shared } = await call("POST", "/api/estimations", { title: "Shared" });
  await call("POST", `/api/estimations/${shared?.id}/shares`, { email: "somebody@example.com", permission: "view" });
  const { team } = await call("POST", "/api/teams", { name: "Old" });
  await call("POST", `/api/estimations/${shared?.id}/shares`, { teamId: team?.id, permission: "view" });
  await call("DELETE", `/api/teams/${team?.id}`);
  await call("DELETE", `/api/estimations/${shared?.id}`);
  const hash = createHash("sha256").update("old").digest();
  const now = app.clock.now();
  for (const [table, ...values] of [
    ["exchange_codes (hash, expires_at, user_id, token_version)", hash, now, userId, 0],
    ["finished_sign_ins (hash, expires_at)", hash, now],
    ["request_counts (counter, used, ends_at)", hash, 1, now],
    ["notifications (id, user_id, kind, subject, created_at)", "ntf_old", userId, "review.requested", "{}", now],
    ["mailed_tokens (hash, expires_at, user_id, purpose)", hash, now, userId, "verify-email"],
  ] as const)
    await app.pool.query(`insert into ${table} values (${values.map((_, at) => `$${at + 1}`).join(", ")})`, [
      ...values,
    ]);

  const filledTables = async () => {
    const counts = TABLES.map((table) => `exists (select from ${table}) as ${table}`);
    const { rows } = await app.pool.query<Record<string, boolean>>(`select ${counts.join(", ")}`);
    return TABLES.filter((table) => rows[0]?.[table]);
  };
  expect(await filledTables()).toEqual(TABLES);
  await app.clock.advance(YEARS_MS);
  const { config } = app.services;
  const log = pino({ level: "silent" });
  const worker = await startService({ config, connection: app.connection, log, clock: app.clock, only: "worker" });
  onTestFinished(worker.stop);
  let left: string[] = [];
  await until(async () => {
    left = await filledTables();
    // What another transaction holds when a removal runs is left to its next run, which is an hour later.
    await app.pool.query("update job_leases set due_at = now() where lease is null");
    await app.pool.query(
      "select graphile_worker.add_job(name, json_build_object('key', key), job_key => key) from job_leases where lease is null",
    );
    return left.length === 0;
  }, patient(60_000)).catch(() => {});
  expect(left).toEqual([]);

  const { rows: queued } = await app.pool.query<{ name: string }>("select distinct name from job_leases");
  const jobs = queued.map(({ name }) => name);
  const catalogue = await readCatalogue(app.pool);
  expect(wrongIn(catalogue, retention, jobs)).toEqual([]);
  const notes: Retention = { holds: "", bound: "", ends: { after: "", job: "remove-notes", index: "notes_by_age" } };
  expect(wrongIn({ ...catalogue, tables: [...catalogue.tables, "strays"] }, { ...retention, notes }, jobs)).toEqual([
    "strays is not declared",
    "notes does not exist",
    "notes has no index notes_by_age",
    "there is no job remove-notes",
  ]);
});
