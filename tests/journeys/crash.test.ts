import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { faultOf } from "../../clients/cli/listen/signature.ts";
import { createClient } from "../../contract/client/client.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { until } from "../harness.ts";
import { makePlace } from "../support/embedded/places.ts";
import { startReceiver } from "../support/receiver.ts";

const main = fileURLToPath(new URL("../../main.js", import.meta.url));
const { estimation, tree } = JSON.parse(
  readFileSync(new URL("../../examples/data-migration.json", import.meta.url), "utf8"),
);

/** Starts the service as a user does; returns its address and a function that kills it. */
async function serve(dataDir: string): Promise<{ url: string; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, [main, "serve"], { env: { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const url = await until(() => /API +(\S+)\/api/.exec(output)?.[1]).catch(() => {
    throw new Error(`the service did not start:\n${output}`);
  });
  return { url, kill };
}

test("everything acknowledged before a SIGKILL is still there after the next start, and its events arrive", async () => {
  const dataDir = `${await makePlace()}/data`;
  // Until the kill, the receiver accepts every request and never responds.
  let responses = false;
  const receiver = await startReceiver((_, response) => {
    if (responses) response.end("ok");
  });
  onTestFinished(() => receiver.close());
  receiver.trustedBy(dataDir);

  const first = await serve(dataDir);
  let credential: string | null = null;
  const before = createClient(first.url, () => credential);
  const account = { email: "ada@example.com", password: "a long enough password" };
  credential = (await before.registerUser({ body: account })).data.token;
  const scopes = ["estimations:read", "estimations:write", "tasks:read", "tasks:write", "webhooks:manage"] as const;
  credential = (await before.createApiKey({ body: { name: "Journey", scopes: [...scopes] } })).data.plaintext;
  const { webhook, secret } = (
    await before.createWebhook({ body: { url: receiver.url, events: ["estimation.tasks_generated"] } })
  ).data;

  const make = async (title: string) => {
    const params = { id: (await before.createEstimation({ body: { ...estimation, title } })).data.estimation.id };
    const { tree: stored } = (await before.replaceTree({ params, body: tree })).data;
    return { params, stored, tasks: (await before.generateTasks({ params })).data.tasks };
  };
  const made = [await make("First"), await make("Second")];
  // Attempts for these are under way. The kill follows directly after the last response, whatever was begun for it.
  await until(() => receiver.requests.length >= 2);
  made.push(await make("Last"));
  await first.kill();
  const begun = receiver.requests.length;
  responses = true;

  const second = await serve(dataDir);
  const after = createClient(second.url, () => credential);
  for (const { params, stored, tasks } of made) {
    expect((await after.getTree({ params })).data.tree).toEqual(stored);
    expect((await after.listTasks({ params })).data.tasks).toEqual(tasks.slice(0, 100));
  }
  expect((await after.logIn({ body: account })).status).toBe(200);

  const deliveries = await until(async () => {
    const { data } = await after.listDeliveries({ params: { id: webhook.id } });
    return data.deliveries.every(({ status }) => status === "delivered") && data.deliveries;
  });
  expect(deliveries).toHaveLength(made.length);
  const ids = deliveries.map(({ id }) => id).sort();
  // At least once each, with the id and body of the earlier attempts and a new signature.
  const arrived = receiver.requests.slice(begun);
  expect([...new Set(arrived.map(({ headers }) => headers["x-service-delivery"]))].sort()).toEqual(ids);
  for (const { headers } of receiver.requests) expect(ids).toContain(headers["x-service-delivery"]);
  const bodies = made.map(({ params, tasks }) => JSON.stringify({ estimationId: params.id, taskCount: tasks.length }));
  expect([...new Set(receiver.requests.map(({ body }) => body))].sort()).toEqual(bodies.sort());
  for (const { headers, body } of arrived) {
    expect(faultOf({ headers, body: Buffer.from(body), secret, now: systemClock.now() })).toBeNull();
  }
});
