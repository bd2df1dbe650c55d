import { afterAll, beforeAll, expect, test } from "vitest";
import { start, type TestApp, until } from "../../../../tests/harness.ts";
import { makeJobsDue } from "../../../../tests/support/jobs.ts";
import { type Receiver, startReceiver } from "../../../../tests/support/receiver.ts";
import { emit } from "../index.ts";

const PER_MINUTE = 5;
const EVENTS = 17;

let app: TestApp;
let receiver: Receiver;
let failing = false;

beforeAll(async () => {
  app = await start({ worker: true, config: { webhookDeliveriesPerMinute: PER_MINUTE, webhookMaxAttempts: 2 } });
  receiver = await startReceiver((_, response) => response.writeHead(failing ? 500 : 200).end());
  receiver.trustedBy(app.services.config.dataDir);
});
afterAll(() => receiver.close());

const count = async (condition: string): Promise<number> =>
  (await app.pool.query(`select count(*)::int as found from webhook_deliveries where ${condition}`)).rows[0].found;

async function createWebhook(): Promise<() => Promise<void>> {
  const { token, userId } = await app.signUp();
  const body = { url: receiver.url, events: ["estimation.tasks_generated"] };
  expect((await app.request("POST", "/api/webhooks", { token, body })).status).toBe(201);
  const data = { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: 1 };
  const emission = { event: "estimation.tasks_generated", data, userIds: [userId], senderId: userId } as const;
  return () => app.services.pool.transaction((tx) => emit(tx, app.services, { ...emission, now: app.clock.now() }));
}

test("an owner's deliveries beyond the limit per minute are sent in later minutes, none is lost, and no other owner waits", async () => {
  const tell = await createWebhook();
  const tellOther = await createWebhook();
  for (let made = 0; made < EVENTS; made++) await tell();
  for (let sent = PER_MINUTE; ; sent = Math.min(EVENTS, sent + PER_MINUTE)) {
    await until(async () => (await count("parked")) === EVENTS - sent);
    await until(() => receiver.requests.length === sent);
    if (sent === EVENTS) break;
    // Looking again within the same minute finds none.
    await app.clock.advance(59_000);
    await makeJobsDue(app.pool);
    await until(async () => (await count("parked")) === EVENTS - sent && receiver.requests.length === sent);
    await app.clock.advance(2_000);
    // Released deliveries are sent at once; the rest of the minute's limit is released at the next look.
    await until(async () => {
      await makeJobsDue(app.pool);
      return receiver.requests.length === Math.min(EVENTS, sent + PER_MINUTE);
    });
  }
  expect(new Set(receiver.requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(EVENTS);
  await tellOther();
  await until(() => receiver.requests.length === EVENTS + 1);
  await until(async () => (await count("status = 'delivered'")) === EVENTS + 1);
});

test("retries count as well", async () => {
  failing = true;
  receiver.requests.length = 0;
  const tell = await createWebhook();
  for (let made = 0; made < 3; made++) await tell();
  await until(async () => (await count("status = 'retry_scheduled'")) === 3);
  await until(async () => {
    await makeJobsDue(app.pool);
    return (await count("parked")) === 1;
  });
  await until(() => receiver.requests.length === PER_MINUTE);
  await app.clock.advance(61_000);
  await until(async () => {
    await makeJobsDue(app.pool);
    return (await count("status = 'failed'")) === 3;
  });
  expect(receiver.requests).toHaveLength(6);
});
