import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, type TestApp, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs, makeJobsDue } from "../../../tests/support/jobs.ts";
import { type Receiver, startReceiver } from "../../../tests/support/receiver.ts";
import { inTransaction, isAnybodyWaiting } from "../../../tests/support/transactions.ts";
import { drizzleOver } from "../../db/database.ts";
import { type Outcome, prepareOutcomes } from "./delivery/outcome-store.ts";
import { resetHealth } from "./health-store.ts";
import { emit } from "./index.ts";
import { updateWebhook } from "./store.ts";

const DAY_MS = 86_400_000;
const MAIL = "send-mail";

let app: TestApp;
let user: TestUser;
let receiver: Receiver;
let statusToSend: number;

beforeAll(async () => {
  app = await start({ worker: true, config: { webhookMaxAttempts: 1, baseUrl: "https://estimates.example.com" } });
  receiver = await startReceiver((_, response) => response.writeHead(statusToSend).end());
  receiver.trustedBy(app.services.config.dataDir);
});
beforeEach(async () => {
  await app.pool.query("delete from webhooks");
  user = await app.signUp();
  statusToSend = 500;
});
afterAll(() => receiver.close());

/** Sessions last an hour, which these tests exceed; a key does not expire. */
const key = new Map<string, string>();
async function call(method: string, path: string, body?: unknown) {
  const token = key.get(user.userId) ?? (await app.makeKey(user, ["webhooks:manage"]));
  key.set(user.userId, token);
  return app.request(method, `/api/webhooks${path}`, { token, body });
}

async function createWebhook(more: object = {}): Promise<string> {
  const body = { url: receiver.url, events: ["estimation.tasks_generated"], ...more };
  const { data, text, status } = await call("POST", "", body);
  expect(status, text).toBe(201);
  return String(data.webhook?.id);
}

const webhook = async (id: string): Promise<Json> => (await call("GET", `/${id}`)).data.webhook as Json;
const at = (ms = 0): string => new Date(app.clock.now().getTime() + ms).toISOString();

/** Emits an event and waits until every delivery has ended. */
async function generate(status = statusToSend): Promise<void> {
  statusToSend = status;
  await app.services.pool.transaction((tx) =>
    emit(tx, app.services, {
      event: "estimation.tasks_generated",
      data: { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: 1 },
      userIds: [user.userId],
      senderId: user.userId,
      now: app.clock.now(),
    }),
  );
  await until(
    async () => (await app.pool.query("select from webhook_deliveries where completed_at is null")).rowCount === 0,
  );
}

async function mails(): Promise<string[]> {
  await until(async () => (await countJobs(app.pool, MAIL)) === 0);
  const folder = join(app.services.config.dataDir, "mail");
  const files = await readdir(folder).catch(() => []);
  const raw = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  // Remove the soft line breaks of quoted-printable.
  const texts = raw.map((text) => text.replaceAll("=\n", ""));
  return texts.filter((text) => text.includes(user.email) && text.includes("webhook"));
}

/** One failure in a row fewer than it takes to deactivate, the first of them now. */
async function failAlmost(): Promise<void> {
  for (let failed = 1; failed < limits.webhookFailuresInARow; failed++) await generate(500);
}

describe("a webhook shows", () => {
  test("its last success, and its consecutive failures with their start, which a success resets", async () => {
    const id = await createWebhook();
    await generate(500);
    const since = at();
    await app.clock.advance(1_000);
    await generate(500);
    const failing = {
      lastSuccessAt: null,
      failuresInARow: 2,
      failingSince: since,
      nextAttemptAt: null,
      deactivatedAt: null,
    };
    expect((await webhook(id)).health).toEqual(failing);
    expect(((await call("GET", "")).data.webhooks as unknown as Json[])[0]?.health).toEqual(failing);
    await app.clock.advance(1_000);
    await generate(204);
    const well = { ...failing, lastSuccessAt: at(), failuresInARow: 0, failingSince: null };
    expect((await webhook(id)).health).toEqual(well);
    await app.clock.advance(1_000);
    await generate(500);
    expect((await webhook(id)).health).toEqual({ ...well, failuresInARow: 1, failingSince: at() });
  });

  test("a success of Send test, even while it is inactive", async () => {
    const id = await createWebhook({ active: false });
    statusToSend = 200;
    await call("POST", `/${id}/test`);
    await until(async () => ((await webhook(id)).health?.lastSuccessAt as unknown) === at());
  });

  test("the next attempt to come", async () => {
    const id = await createWebhook({ url: "https://hooks.example.com", active: false });
    const due = (ms: number) =>
      app.pool.query(
        `insert into webhook_deliveries (id, webhook_id, event_id, event, body, status, due_at, next_attempt_at, created_at)
         values ($1, $2, $4, 'webhook.test', '{}', 'retry_scheduled', $3, $3, now())`,
        [app.services.ids.next("delivery"), id, at(ms), ms],
      );
    await due(60_000);
    await due(30_000);
    await due(90_000);
    expect((await webhook(id)).health?.nextAttemptAt).toBe(at(30_000));
    await app.pool.query("delete from webhook_deliveries where webhook_id = $1", [id]);
    expect((await webhook(id)).health?.nextAttemptAt).toBe(null);
  });

  test("deliveries, not attempts, and nothing that was never sent", async () => {
    const id = await createWebhook();
    const outcomes = await outcomesOf(id, ["retry_scheduled", "failed"]);
    await prepareOutcomes(app.services.pool)(outcomes);
    expect((await webhook(id)).health?.failuresInARow).toBe(1);
    for (const error of ["internal", "webhook_inactive"] as const) {
      const [unsent] = await outcomesOf(id, ["failed"]);
      if (unsent?.attempt)
        await prepareOutcomes(app.services.pool)([{ ...unsent, attempt: { ...unsent.attempt, error } }]);
    }
    expect((await webhook(id)).health?.failuresInARow).toBe(1);
  });
});

/** Outcomes, each of its own delivery, leased by a process that does not exist. */
async function outcomesOf(webhookId: string, statuses: readonly Outcome["status"][]): Promise<Outcome[]> {
  return Promise.all(
    statuses.map(async (status, index) => {
      const deliveryId = app.services.ids.next("delivery");
      await app.pool.query(
        `insert into webhook_deliveries (id, webhook_id, event_id, event, body, due_at, lease, leased_until, next_attempt_at, created_at)
         values ($1, $2, (random() * 1e9)::int, 'estimation.created', '{}', now(), 'a', now() + interval '1 hour', now(), now())`,
        [deliveryId, webhookId],
      );
      await app.pool.query("insert into webhook_health (webhook_id) values ($1) on conflict do nothing", [webhookId]);
      return {
        claimed: { id: deliveryId, lease: "a", webhookId, ownerId: user.userId },
        tookMs: 1,
        attempt: {
          startedAt: at(),
          durationMs: 1,
          responseStatus: status === "delivered" ? 200 : 500,
          responseHeaders: {},
          responseBody: "",
          error: status === "delivered" ? null : "status",
        },
        status,
        nextAttemptAt: status === "retry_scheduled" ? new Date(at(60_000)) : null,
        completedAt: status === "retry_scheduled" ? null : new Date(at(index)),
        delayMs: null,
      };
    }),
  );
}

test("outcomes written together count in their order, each for its own webhook", async () => {
  const [one, two] = [await createWebhook(), await createWebhook()];
  const mixed = await outcomesOf(one, ["failed", "failed", "delivered", "failed"]);
  const failing = await outcomesOf(two, ["failed", "failed"]);
  const interleaved = [mixed[0], failing[0], mixed[1], mixed[2], failing[1], mixed[3]] as Outcome[];
  expect(await prepareOutcomes(app.services.pool)(interleaved)).toEqual(Array(6).fill(true));
  const base = { nextAttemptAt: null, deactivatedAt: null };
  expect((await webhook(one)).health).toEqual({
    ...base,
    lastSuccessAt: at(2),
    failuresInARow: 1,
    failingSince: at(3),
  });
  expect((await webhook(two)).health).toEqual({ ...base, lastSuccessAt: null, failuresInARow: 2, failingSince: at() });
  // Writing them again: an outcome is not counted twice.
  expect(await prepareOutcomes(app.services.pool)(interleaved)).toEqual(Array(6).fill(false));
  expect((await webhook(two)).health?.failuresInARow).toBe(2);
});

describe("a webhook whose URL responds that it is gone (410)", () => {
  /** Emits an event for an active webhook, whose receiver responds 410, and waits for the first attempt. */
  async function respondGone(id: string): Promise<void> {
    const attempted =
      "select from webhook_deliveries where webhook_id = $1 and attempt_count > 0 and event <> 'webhook.test'";
    await generate(410);
    expect((await app.pool.query(attempted, [id])).rowCount).toBe(1);
  }

  test("is deactivated at once, and its owner gets one mail without secrets", async () => {
    const id = await createWebhook({ url: `${receiver.url}/my-secret-path`, description: "Buy pills" });
    await respondGone(id);
    expect(await webhook(id)).toMatchObject({ active: false, updatedAt: at(), health: { deactivatedAt: at() } });
    const [mail = "", ...more] = await until(async () => (await mails()).length > 0 && mails());
    expect(more).toEqual([]);
    expect(mail).toContain("410 (Gone)");
    for (const word of ["my-secret-path", "pills", "whsec_", "undefined", "null", "1970"])
      expect(mail).not.toContain(word);
    receiver.requests.length = 0;
    await generate(410);
    expect(receiver.requests).toEqual([]);
    const { data } = await call("PATCH", `/${id}`, { active: true });
    expect(data.webhook).toMatchObject({ active: true, health: { deactivatedAt: null, failuresInARow: 0 } });
  });

  test("stays active if only a test delivery says so, however often", async () => {
    const id = await createWebhook();
    statusToSend = 410;
    await failAlmost();
    await app.clock.advance(limits.webhookFailingDays * DAY_MS);
    statusToSend = 410;
    await call("POST", `/${id}/test`);
    await until(async () => ((await webhook(id)).health?.failuresInARow as unknown) === limits.webhookFailuresInARow);
    expect(await webhook(id)).toMatchObject({ active: true, health: { deactivatedAt: null } });
    expect(await mails()).toEqual([]);
  });

  test("stays active if it was changed while the request was under way", async () => {
    const id = await createWebhook();
    const [outcome] = (await outcomesOf(id, ["retry_scheduled"])) as [Outcome];
    const gone = {
      ...outcome,
      attempt: { ...(outcome.attempt as NonNullable<Outcome["attempt"]>), responseStatus: 410 },
    };
    await app.clock.advance(1);
    await call("PATCH", `/${id}`, { url: `${receiver.url}/moved` });
    expect(await prepareOutcomes(app.services.pool)([gone])).toEqual([true]);
    expect(await webhook(id)).toMatchObject({ active: true, health: { deactivatedAt: null } });
    const [later] = (await outcomesOf(id, ["retry_scheduled"])) as [Outcome];
    const goneNow = {
      ...later,
      attempt: { ...(later.attempt as NonNullable<Outcome["attempt"]>), responseStatus: 410 },
    };
    await prepareOutcomes(app.services.pool)([goneNow]);
    expect(await webhook(id)).toMatchObject({ active: false, health: { failuresInARow: 0, failingSince: null } });
  });
});

describe("a webhook all of whose deliveries failed", () => {
  test("for exactly three days is deactivated, and its owner gets one mail without secrets", async () => {
    const id = await createWebhook({ url: `${receiver.url}/my-secret-path`, description: "Buy pills" });
    const since = at();
    await failAlmost();
    await app.clock.advance(limits.webhookFailingDays * DAY_MS - 1);
    await generate(500);
    expect(await webhook(id)).toMatchObject({ active: true, health: { failuresInARow: 10, deactivatedAt: null } });
    await app.clock.advance(1);
    await generate(500);
    const deactivated = { active: false, updatedAt: at(), health: { failuresInARow: 11, deactivatedAt: at() } };
    expect(await webhook(id)).toMatchObject(deactivated);

    const [mail, ...more] = await until(async () => (await mails()).length > 0 && mails());
    expect(more).toEqual([]);
    expect(mail).toContain(`To: ${user.email}`);
    expect(mail).toContain("https://estimates.example.com/docs");
    expect(mail).toContain(since);
    for (const word of ["my-secret-path", "pills", "whsec_"]) expect(mail).not.toContain(word);

    // It receives nothing more. Failures of deliveries requested by hand count, but neither deactivate nor send another
    // mail.
    receiver.requests.length = 0;
    await generate(500);
    expect(receiver.requests).toEqual([]);
    await call("POST", `/${id}/test`);
    await until(async () => ((await webhook(id)).health?.failuresInARow as unknown) === 12);
    expect(await webhook(id)).toMatchObject({ ...deactivated, health: { failuresInARow: 12 } });
    expect(await mails()).toHaveLength(1);
  });

  test("can be inspected, activated and redelivered to with the requests in the mail", async () => {
    const id = await createWebhook();
    await failAlmost();
    await app.clock.advance(limits.webhookFailingDays * DAY_MS);
    await generate(500);
    const [mail = ""] = await until(async () => (await mails()).length > 0 && mails());
    const named = [...mail.matchAll(/^([A-Z]+) \/api\/webhooks(\/\S+)(?: with the body (.+))?$/gm)];
    expect(named.map(([, method]) => method)).toEqual(["GET", "PATCH", "POST"]);
    statusToSend = 200;
    const responses = [];
    for (const [, method = "", path = "", body] of named) {
      responses.push(await call(method, path, body === undefined ? undefined : JSON.parse(body)));
    }
    const [log, activated, again] = responses.map(({ data }) => data);
    expect(log?.deliveries).toHaveLength(limits.webhookFailuresInARow);
    expect(activated?.webhook).toMatchObject({ id, active: true });
    expect(again?.count).toBe(limits.webhookFailuresInARow);
  });

  test("stays active with fewer than ten failures, however long it takes", async () => {
    const id = await createWebhook();
    await failAlmost();
    await app.clock.advance(30 * DAY_MS);
    expect(await webhook(id)).toMatchObject({ active: true, health: { failuresInARow: 9 } });
    await generate(500);
    expect(await webhook(id)).toMatchObject({ active: false, health: { failuresInARow: 10 } });
  });

  test("stays active after one success among them", async () => {
    const id = await createWebhook();
    await failAlmost();
    await app.clock.advance(2 * DAY_MS);
    await generate(200);
    await failAlmost();
    await app.clock.advance(2 * DAY_MS);
    await generate(500);
    expect(await webhook(id)).toMatchObject({ active: true, health: { failuresInARow: 10 } });
    expect(await mails()).toEqual([]);
  });

  test("restarts the count when it is activated or gets another address, and at no other time", async () => {
    const id = await createWebhook();
    await failAlmost();
    await app.clock.advance(3 * DAY_MS);
    await call("PATCH", `/${id}`, { active: true, url: receiver.url, description: "same" });
    expect((await webhook(id)).health?.failuresInARow).toBe(9);
    await generate(500);
    expect((await webhook(id)).active).toBe(false);
    const { data } = await call("PATCH", `/${id}`, { active: true });
    const anew = { failuresInARow: 0, failingSince: null, deactivatedAt: null };
    expect(data.webhook).toMatchObject({ active: true, health: anew });
    await generate(500);
    expect(await webhook(id)).toMatchObject({ active: true, health: { failuresInARow: 1, failingSince: at() } });
    const moved = await call("PATCH", `/${id}`, { url: `${receiver.url}/moved` });
    expect(moved.data.webhook?.health).toMatchObject(anew);
  });

  test("restarts the count even if it is activated while it is being deactivated", async () => {
    const id = await createWebhook();
    await failAlmost();
    await app.clock.advance(limits.webhookFailingDays * DAY_MS);
    const { statusToSend: activated } = await inTransaction(app.pool, async (client) => {
      expect(await prepareOutcomes(drizzleOver(client))(await outcomesOf(id, ["failed"]))).toEqual([true]);
      const statusToSend = call("PATCH", `/${id}`, { active: true });
      await until(() => isAnybodyWaiting(app.pool));
      return { statusToSend };
    });
    const anew = { failuresInARow: 0, failingSince: null, deactivatedAt: null };
    expect((await activated).data.webhook).toMatchObject({ active: true, health: anew });
    await generate(500);
    expect(await webhook(id)).toMatchObject({ active: true, health: { failuresInARow: 1 } });
  });

  test("is deactivated by outcomes that arrive while an already active webhook is set active, even by its first outcomes", async () => {
    const id = await createWebhook();
    const outcomes = await outcomesOf(id, Array(limits.webhookFailuresInARow).fill("failed"));
    const [last, ...before] = outcomes.toReversed() as [Outcome, ...Outcome[]];
    const late = [...before, { ...last, completedAt: new Date(at(limits.webhookFailingDays * DAY_MS + 1_000)) }];
    const { recorded } = await inTransaction(app.pool, async (client) => {
      await resetHealth(drizzleOver(client), id, { active: true });
      const recorded = prepareOutcomes(app.services.pool)(late);
      await until(() => isAnybodyWaiting(app.pool));
      await updateWebhook(drizzleOver(client), user.userId, id, {
        active: true,
        deactivatedAt: null,
        updatedAt: new Date(at()),
      });
      return { recorded };
    });
    expect(await recorded).toEqual(Array(limits.webhookFailuresInARow).fill(true));
    expect(await webhook(id)).toMatchObject({ active: false, health: { failuresInARow: 10 } });
  });

  test("causes no mail if it is active again before the mail is sent", async () => {
    const id = await createWebhook();
    await app.pool.query(
      `select graphile_worker.add_job($1, json_build_object('kind', 'webhook-deactivated', 'askedAt', now(), 'facts',
        json_build_object('webhookId', $2::text, 'userId', $3::text, 'failures', 10, 'failingSince', now(), 'deactivatedAt', now())))`,
      [MAIL, id, user.userId],
    );
    await makeJobsDue(app.pool);
    expect(await mails()).toEqual([]);
  });
});

test("outcomes of many webhooks written at the same time in different orders are all counted", async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => createWebhook()));
  const sets = await Promise.all(ids.map((id) => outcomesOf(id, Array(8).fill("failed"))));
  const rounds = Array.from({ length: 8 }, (_, round) => {
    const row = sets.map((set) => set[round] as Outcome);
    return round % 2 === 0 ? row : row.toReversed();
  });
  await Promise.all(rounds.map((row) => prepareOutcomes(app.services.pool)(row)));
  for (const id of ids) expect((await webhook(id)).health?.failuresInARow).toBe(8);
});
