import { describe, expect, onTestFinished, test } from "vitest";
import type { EndpointId } from "../../contract/index.ts";
import { limits } from "../../contract/limits.ts";
import { until } from "../harness.ts";
import { callSample } from "./call.ts";
import { setStage } from "./loops/stage.ts";

const stage = await setStage();
const { app, world } = stage;

/** Opens a transaction that runs `statement` and stays open, until `release` or the end of the test. */
async function hold(statement: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const client = await app.pool.connect();
  await client.query("begin");
  await client.query(statement, values);
  let held = true;
  const release = async () => {
    if (!held) return;
    held = false;
    await client.query("rollback");
    client.release();
  };
  onTestFinished(release);
  return release;
}

const userIdOf = async (token: string | undefined) =>
  (await app.request("GET", "/api/auth/me", { token: String(token) })).data.user?.id;

/**
 * Writes a user's Idempotency-Key in a transaction that stays open, so that requests with the key wait until `release`.
 */
async function holdKey(token: string | undefined): Promise<{ key: string; release: () => Promise<void> }> {
  const key = crypto.randomUUID();
  const release = await hold(
    "insert into idempotency_keys (user_id, key, fingerprint, status, created_at) values ($1, $2, '', 0, $3)",
    [await userIdOf(token), key, app.clock.now()],
  );
  return { key, release };
}

/** Statements that wait for the lock of another transaction. */
const WAITING = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

const tokenOf = (name: string) => stage.people.find((person) => person.name === name)?.session;

describe("a user who may not write", () => {
  test.each<[EndpointId, EndpointId]>([
    ["testWebhook", "updateWebhook"],
    ["rotateApiKey", "updateApiKey"],
  ])("does not delay writes to another record: %s", async (strangers, owners) => {
    const token = tokenOf("stranger");
    const { key, release } = await holdKey(token);
    const waiting = callSample(app, strangers, world, { token, headers: { "idempotency-key": key } });
    await until(async () => (await app.pool.query(WAITING)).rowCount === 1);
    expect((await callSample(app, owners, world)).status).toBe(200);
    await release();
    expect((await waiting).status).toBe(404);
  });
});

describe("while all writes to an estimation wait", () => {
  const holdAll = () => hold("lock table estimations in access exclusive mode");

  test("one of them waits in the database, and the others get 503 after five seconds", async () => {
    const token = String(tokenOf("owner"));
    const release = await holdAll();
    let refused = 0;
    const send = async () => {
      const response = await callSample(app, "updateEstimation", world, { token });
      if (response.status === 503) refused += 1;
      return response;
    };
    const responses = Array.from({ length: 12 }, send);
    await until(async () => {
      await app.clock.advance(limits.writeWaitSeconds * 1_000);
      return refused === 11;
    });
    const { headers, body } = await Promise.race(responses);
    expect([body.message, headers.get("retry-after")]).toEqual(["service_unavailable", "1"]);
    expect((await app.pool.query(WAITING)).rowCount).toBe(1);
    await release();
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, ...Array(11).fill(503)]);
  });

  test("a reader who sends many messages does not prevent the owner from writing", async () => {
    const release = await holdAll();
    const finished: string[] = [];
    const send = async (name: string, id: EndpointId) => {
      const { status } = await callSample(app, id, world, { token: String(tokenOf(name)) });
      finished.push(`${name} ${status}`);
    };
    const messages = Array.from({ length: 40 }, () => send("viewer", "createThreadMessage"));
    await until(async () => (await app.pool.query(WAITING)).rowCount === 1);
    // This was sent later, so all of them have been read once it has its response.
    expect((await app.request("GET", "/api/nothing")).status).toBe(404);
    const writing = send("owner", "updateEstimation");
    await release();
    await Promise.all([...messages, writing]);
    expect(finished.filter((response) => response === "viewer 201")).toHaveLength(40);
    // One message had begun and one came before; a further one may end meanwhile.
    expect(finished.indexOf("owner 200")).toBeLessThan(10);
  });
});

test.each<readonly [EndpointId, string, string]>([
  ["createEstimation", "estimations", "owner_id"],
  ["createWebhook", "webhooks", "user_id"],
  ["createApiKey", "api_keys", "user_id"],
])("a user who makes many records at once leaves connections to other users: %s", async (id, table, owner) => {
  const token = String(tokenOf("stranger"));
  const userId = await userIdOf(token);
  const made = async () => (await app.pool.query(`select from ${table} where ${owner} = $1`, [userId])).rowCount ?? 0;
  const before = await made();
  // Everything that refers to this user waits for it.
  const release = await hold("select from users where id = $1 for update", [userId]);
  const responses = Array.from({ length: 20 }, () => callSample(app, id, world, { token }));
  await until(async () => (await app.pool.query(WAITING)).rowCount === 1);
  expect((await callSample(app, "createEstimation", world)).status).toBe(201);
  // Sessions are renewed and ended all the same: a thief of one cannot prevent it by creating records.
  expect((await app.request("POST", "/api/auth/renew", { token })).status).toBe(200);
  await release();
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect((await made()) - before).toBe(20);
});
