import { expect, test } from "vitest";
import { drizzleOver } from "../../server/db/database.ts";
import { takeKey } from "../../server/http/idempotency.ts";
import { type Response, request, start, until } from "../harness.ts";
import { startAnother } from "../support/another-process.ts";
import { inTransaction, isAnybodyWaiting } from "../support/transactions.ts";

const app = await start();
const user = await app.signUp();

/** Connections of the service that a request holds: within a transaction, or with a statement under way. */
async function heldConnections(): Promise<number> {
  const { rows } = await app.pool.query(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and query not like '%hold for the test%'`,
  );
  return rows[0].n;
}

test.each([
  ["a creation", "/api/estimations", { title: "Once" }],
  // Not one of those that a user makes one after the other anyway.
  ["an import", "/api/estimations/import", { format: "outline", content: "# Once" }],
])(
  "ten repeats of %s under way hold one connection, and others are served at the same time",
  async (key, path, body) => {
    const blocker = await app.pool.connect();
    try {
      await blocker.query("begin");
      await blocker.query("lock table estimations in share row exclusive mode /* hold for the test */");
      const post = () =>
        app.request("POST", path, {
          token: user.token,
          body,
          headers: { "idempotency-key": key.replace(" ", "-") },
        });
      const responses = Array.from({ length: 10 }, post);
      await until(() => isAnybodyWaiting(app.pool));
      // All ten have arrived once later requests, ten again, have got their responses.
      const others = await Promise.all(
        Array.from({ length: 10 }, () => app.request("GET", "/api/estimations", { token: user.token })),
      );
      expect(others.map(({ status }) => status)).toEqual(Array(10).fill(200));
      await until(async () => (await heldConnections()) === 1);
      await blocker.query("commit");
      const settled = await Promise.all(responses);
      expect(new Set(settled.map(({ text }) => text)).size).toBe(1);
      expect(settled.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(9);
    } finally {
      blocker.release();
    }
  },
);

const post = () =>
  app.request("POST", "/api/estimations", {
    token: user.token,
    body: { title: "In two" },
    headers: { "idempotency-key": "in-two-processes" },
  });

test("a repeat waits for another process that works on the key, and gets the response that it stored", async () => {
  let repeat: Promise<Response> | undefined;
  await inTransaction(app.pool, async (client) => {
    const use = { userId: user.userId, key: "in-two-processes", fingerprint: Buffer.from("x"), now: app.clock.now() };
    expect(await takeKey(drizzleOver(client), use)).toBe(null);
    repeat = post();
    await until(() => isAnybodyWaiting(app.pool));
  });
  expect((await repeat)?.body.message).toBe("idempotency_key_reused");
  expect((await app.pool.query("select from estimations where title = 'In two'")).rowCount).toBe(0);
});

test("twenty simultaneous repeats at two processes get twenty equal responses", async () => {
  const another = await startAnother(app);
  const body = { title: "Twenty" };
  const headers = { "idempotency-key": "twenty" };
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      request(at % 2 ? another : app.url, "POST", "/api/estimations", { token: user.token, body, headers }),
    ),
  );
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(responses[0]?.status).toBe(201);
});
