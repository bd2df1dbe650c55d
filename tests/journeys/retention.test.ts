import { createHash, randomUUID } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../server/app.ts";
import { start, until } from "../harness.ts";

const YEARS_MS = 11 * 366 * 86_400_000;

/** Tables of which nothing is kept for longer than the longest retention that can be set. */
const TABLES = [
  "api_keys",
  "attempt_counts",
  "audit_events",
  "decision_trees",
  "estimations",
  "exchange_codes",
  "finished_sign_ins",
  "idempotency_keys",
  "known_sign_ins",
  "mailed_tokens",
  "webhook_deliveries",
  "webhook_events",
  "webhooks",
];

test("the worker removes everything whose time is over, of every kind", async () => {
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
  const hash = createHash("sha256").update("old").digest();
  const now = app.clock.now();
  for (const [table, ...values] of [
    ["exchange_codes (hash, expires_at, user_id, token_version)", hash, now, userId, 0],
    ["finished_sign_ins (hash, expires_at)", hash, now],
    ["mailed_tokens (hash, expires_at, user_id, purpose)", hash, now, userId, "verify-email"],
  ] as const)
    await app.pool.query(`insert into ${table} values (${values.map((_, at) => `$${at + 1}`).join(", ")})`, [
      ...values,
    ]);

  const kept = async () => {
    const counts = TABLES.map((table) => `exists (select from ${table}) as ${table}`);
    const { rows } = await app.pool.query<Record<string, boolean>>(`select ${counts.join(", ")}`);
    return TABLES.filter((table) => rows[0]?.[table]);
  };
  expect(await kept()).toEqual(TABLES);
  await app.clock.advance(YEARS_MS);
  const { config } = app.services;
  const log = pino({ level: "silent" });
  const worker = await startService({ config, connection: app.connection, log, clock: app.clock, only: "worker" });
  onTestFinished(worker.stop);
  let left: string[] = [];
  await until(async () => {
    left = await kept();
    return left.length === 0;
  }, 60_000).catch(() => {});
  expect(left).toEqual([]);
});
