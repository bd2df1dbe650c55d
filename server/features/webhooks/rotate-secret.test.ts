import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Json, start, type TestApp, type TestUser, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { type Received, type Receiver, startReceiver } from "../../../tests/support/receiver.ts";

const HOUR_MS = 3_600_000;

let app: TestApp;
let user: TestUser;
let token: string;
let receiver: Receiver;
let statusToSend: number;

beforeAll(async () => {
  app = await start({ worker: true });
  receiver = await startReceiver((_, response) => response.writeHead(statusToSend).end());
  receiver.trustedBy(app.services.config.dataDir);
});
beforeEach(async () => {
  user = await app.signUp();
  token = await app.makeKey(user, ["webhooks:manage"]);
  receiver.requests.length = 0;
  statusToSend = 200;
});
afterAll(() => receiver.close());

const call = (method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) =>
  app.request(method, `/api/webhooks${path}`, { token, ...options });

async function createWebhook(): Promise<{ id: string; secret: string }> {
  const { data } = await call("POST", "", { body: { url: receiver.url, events: [] } });
  return { id: String(data.webhook?.id), secret: String(data.secret) };
}

async function rotate(id: string): Promise<string> {
  const { status, data, text } = await call("POST", `/${id}/rotate-secret`);
  expect(status, text).toBe(200);
  return String(data.secret);
}

/** What the receiver gets of Send test. */
async function send(id: string): Promise<Received> {
  const already = receiver.requests.length;
  await call("POST", `/${id}/test`);
  return until(() => receiver.requests[already]);
}

/**
 * Returns which of the libraries accept the request with this secret. The timestamp is the fake clock's, which they
 * cannot know.
 */
function takenBy({ body, headers }: Received, secret: string): string[] {
  const takes = (verify: () => unknown): boolean => {
    try {
      verify();
      return true;
    } catch {
      return false;
    }
  };
  const hex = createHmac("sha256", secret).update(body).digest("hex");
  return [
    ...(takes(() => new StandardWebhook(secret).verify(body, headers)) ? ["standardwebhooks"] : []),
    ...(takes(() => new SvixWebhook(secret).verify(body, headers)) ? ["svix"] : []),
    ...(headers["x-service-signature"] === `sha256=${hex}` ? ["X-Service-Signature"] : []),
  ];
}
const STANDARD = ["standardwebhooks", "svix"];
const ALL = [...STANDARD, "X-Service-Signature"];
const signatures = ({ headers }: Received): number => headers["webhook-signature"]?.split(" ").length ?? 0;

/** Signs with secrets replaced earlier, without moving the clock away from the libraries' clock. */
const age = (id: string, ms: number) =>
  app.pool.query(
    "update webhook_former_secrets set valid_until = valid_until - $2 * interval '1 millisecond' where webhook_id = $1",
    [id, ms],
  );

describe("after a rotation", () => {
  test("the new secret signs everything, and the old one as well in the standard header, the new one first", async () => {
    const { id, secret: old } = await createWebhook();
    const before = await send(id);
    expect([signatures(before), takenBy(before, old)]).toEqual([1, ALL]);
    const fresh = await rotate(id);
    expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(fresh).not.toBe(old);
    const after = await send(id);
    expect(signatures(after)).toBe(2);
    expect(takenBy(after, fresh)).toEqual(ALL);
    expect(takenBy(after, old)).toEqual(STANDARD);
    const [first, second] = after.headers["webhook-signature"]?.split(" ") ?? [];
    const only = (signature = "") => ({ ...after, headers: { ...after.headers, "webhook-signature": signature } });
    expect([takenBy(only(first), fresh), takenBy(only(second), old)]).toEqual([ALL, STANDARD]);
    expect(takenBy(only(first), old)).toEqual([]);
    expect(takenBy({ ...after, body: `${after.body} ` }, fresh)).toEqual([]);
  });

  test("the log shows the headers that are sent, and none of another secret", async () => {
    const { id } = await createWebhook();
    await rotate(id);
    const { headers } = await send(id);
    const shown = async () => {
      const { data } = await call("GET", `/${id}/deliveries/${headers["webhook-id"]}`);
      const pairs = Object.entries(data.delivery?.requestHeaders ?? {}).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]);
      return Object.fromEntries(pairs) as Record<string, string>;
    };
    expect(headers).toMatchObject(await shown());
    expect((await shown())["webhook-signature"]?.split(" ").length).toBe(2);
    await age(id, 24 * HOUR_MS + 1);
    expect((await shown())["webhook-signature"]).toBe(headers["webhook-signature"]?.split(" ")[0]);
  });

  test("the old one signs for exactly 24 hours, and is then removed", async () => {
    const { id, secret: old } = await createWebhook();
    const fresh = await rotate(id);
    await age(id, 24 * HOUR_MS);
    const last = await send(id);
    expect([signatures(last), takenBy(last, old)]).toEqual([2, STANDARD]);
    await age(id, 1);
    const after = await send(id);
    expect([signatures(after), takenBy(after, old), takenBy(after, fresh)]).toEqual([1, [], ALL]);
    const stored = () => app.pool.query("select from webhook_former_secrets where webhook_id = $1", [id]);
    await until(async () => {
      await makeJobsDue(app.pool);
      return (await stored()).rowCount === 0;
    });
  });

  test("a retry is signed with the secrets valid at its own time, under the same id", async () => {
    const { id, secret: old } = await createWebhook();
    statusToSend = 500;
    const first = await send(id);
    await until(
      async () =>
        (
          await app.pool.query(
            "select from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id where webhook_id = $1",
            [id],
          )
        ).rowCount === 1,
    );
    const fresh = await rotate(id);
    statusToSend = 200;
    await app.clock.advance(60_000);
    await makeJobsDue(app.pool);
    const second = await until(() => receiver.requests[1]);
    expect([takenBy(first, old), takenBy(second, fresh)]).toEqual([ALL, ALL]);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.body).toBe(first.body);
    expect(Number(second.headers["webhook-timestamp"]) - Number(first.headers["webhook-timestamp"])).toBe(60);
  });

  test("and another within the day, every secret signs for its 24 hours, up to the three newest", async () => {
    const { id, secret } = await createWebhook();
    const secrets = [secret];
    for (let times = 0; times < 3; times++) secrets.push(await rotate(id));
    const all = await send(id);
    expect(signatures(all)).toBe(4);
    for (const former of secrets.slice(0, 3)) expect(takenBy(all, former)).toEqual(STANDARD);
    expect(takenBy(all, secrets[3] ?? "")).toEqual(ALL);
    await rotate(id);
    const bounded = await send(id);
    expect([signatures(bounded), takenBy(bounded, secret)]).toEqual([4, []]);
  });

  test("and another at the same time, each new secret is valid", async () => {
    const { id } = await createWebhook();
    const secrets = await Promise.all([rotate(id), rotate(id), rotate(id)]);
    const received = await send(id);
    expect(secrets.map((secret) => takenBy(received, secret).length).toSorted()).toEqual([2, 2, 3]);
  });
});

test("a new secret is shown once: no replay, no other response and no database row contains it", async () => {
  const { id, secret: old } = await createWebhook();
  const headers = { "idempotency-key": "once" };
  const first = await call("POST", `/${id}/rotate-secret`, { headers });
  const replay = await call("POST", `/${id}/rotate-secret`, { headers });
  expect(replay.data).toEqual({ webhook: first.data.webhook });
  const secret = String(first.data.secret);
  expect(takenBy(await send(id), secret)).toEqual(ALL);
  expect((await call("GET", `/${id}`)).text).not.toContain("whsec_");
  const { rows } = await app.pool.query(
    "select coalesce(string_agg(t::text, ' '), '') as all from (select w::text from webhooks w union all select f::text from webhook_former_secrets f) t",
  );
  for (const plain of [secret, old]) {
    for (const form of [
      plain.slice(6),
      Buffer.from(plain).toString("hex"),
      Buffer.from(plain.slice(6), "base64").toString("hex"),
    ])
      expect(rows[0].all).not.toContain(form);
  }
});

test("deleting a webhook removes its former secrets at once; another user cannot rotate a secret", async () => {
  const { id } = await createWebhook();
  const stranger = await app.signUp();
  const refused = await app.request("POST", `/api/webhooks/${id}/rotate-secret`, { token: stranger.token });
  expect([refused.status, refused.body.message]).toEqual([404, "not_found"]);
  const stored = async (): Promise<Json> =>
    (await app.pool.query("select count(*)::int as count from webhook_former_secrets where webhook_id = $1", [id]))
      .rows[0];
  expect(await stored()).toEqual({ count: 0 });
  await rotate(id);
  expect(await stored()).toEqual({ count: 1 });
  await call("DELETE", `/${id}`);
  expect(await stored()).toEqual({ count: 0 });
});
