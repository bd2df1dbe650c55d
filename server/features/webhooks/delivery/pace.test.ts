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

/** Lets the minute end, which is the database's. */
const nextMinute = async () => {
  await app.pool.query("update webhook_owners set minute_began = minute_began - interval '61 seconds'");
  await makeJobsDue(app.pool);
};

test("an owner's deliveries beyond the limit per minute are sent in later minutes, none is lost, and no other owner waits", async () => {
  const tell = await createWebhook();
  const tellOther = await createWebhook();
  for (let made = 0; made < EVENTS; made++) await tell();
  for (let sent = PER_MINUTE; ; sent = Math.min(EVENTS, sent + PER_MINUTE)) {
    await until(async () => (await count("status = 'delivered'")) === sent);
    expect(receiver.requests).toHaveLength(sent);
    if (sent === EVENTS) break;
    // Another owner's delivery is sent after it was looked at again, and finds none.
    if (sent === PER_MINUTE) {
      await tellOther();
      await until(() => receiver.requests.length === sent + 1);
      receiver.requests.pop();
      await app.pool.query("delete from webhook_deliveries where webhook_id = (select max(id) from webhooks)");
    }
    await nextMinute();
  }
  expect(new Set(receiver.requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(EVENTS);
});

test("retries count as well", async () => {
  failing = true;
  receiver.requests.length = 0;
  const tell = await createWebhook();
  for (let made = 0; made < 3; made++) await tell();
  await until(async () => (await count("status = 'retry_scheduled'")) === 3);
  await makeJobsDue(app.pool);
  await until(async () => (await count("status = 'failed'")) === 2);
  expect(receiver.requests).toHaveLength(PER_MINUTE);
  await nextMinute();
  await until(async () => (await count("status = 'failed'")) === 3);
  expect(receiver.requests).toHaveLength(6);
});
