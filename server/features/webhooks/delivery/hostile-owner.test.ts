import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start, type TestApp, type TestUser, until } from "../../../../tests/harness.ts";
import { type Receiver, startReceiver } from "../../../../tests/support/receiver.ts";
import { emit } from "../index.ts";

/** The most webhooks that a user may have. */
const WEBHOOKS = 100;
const EVENTS = 5;
/** The most that one owner may have under way at endpoints that are slow or not known yet. */
const OWNER_SLOW_SLOTS = 32;

let app: TestApp;
let receiver: Receiver;
/** The requests that wait for a response now: the service gives them up after some seconds, and others follow. */
const hanging = new Set<ServerResponse>();
const healthy: string[] = [];

beforeAll(async () => {
  app = await start({ worker: true });
  receiver = await startReceiver(({ path }, response) => {
    if (path.startsWith("/hanging")) return void hanging.add(response.on("close", () => hanging.delete(response)));
    healthy.push(path);
    response.end();
  });
  receiver.trustedBy(app.services.config.dataDir);
});
afterAll(() => receiver.close());

async function createWebhooks({ token }: TestUser, path: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const body = { url: `${receiver.url}${path}/${at}`, events: ["estimation.tasks_generated"] };
    const { status, data } = await app.request("POST", "/api/webhooks", { token, body });
    expect(status).toBe(201);
    ids.push(String(data.webhook?.id));
  }
  return ids;
}

const tell = ({ userId }: TestUser): Promise<void> =>
  app.services.pool.transaction((tx) =>
    emit(tx, app.services, {
      event: "estimation.tasks_generated",
      data: { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: 1 },
      userIds: [userId],
      senderId: userId,
      now: app.clock.now(),
    }),
  );

/** Resolves when as much of the user is under way as may be. */
const settled = ({ userId }: TestUser): Promise<unknown> =>
  until(async () => {
    const { rows } = await app.pool.query("select under_way from webhook_owners where user_id = $1", [userId]);
    return rows[0]?.under_way === OWNER_SLOW_SLOTS;
  });

test("an owner whose endpoints all hang holds few slots, even with ever new webhooks, and delays no others", async () => {
  const attacker = await app.signUp();
  const victim = await app.signUp();
  for (let round = 1; round <= 3; round++) {
    const ids = await createWebhooks(attacker, "/hanging", WEBHOOKS);
    for (let count = 0; count < EVENTS; count++) await tell(attacker);
    await settled(attacker);
    expect(hanging.size).toBeLessThanOrEqual(OWNER_SLOW_SLOTS);
    // The other user's endpoints are not known yet either.
    await createWebhooks(victim, `/healthy/${round}`, 10);
    await tell(victim);
    await until(() => healthy.length === 10 * round * ((round + 1) / 2));
    for (const id of ids) await app.request("DELETE", `/api/webhooks/${id}`, { token: attacker.token });
  }
});
