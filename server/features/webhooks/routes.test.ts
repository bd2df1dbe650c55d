import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventNames, events, subscribableEvents } from "../../../contract/events.ts";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, type TestApp, type TestUser } from "../../../tests/harness.ts";
import { loadConfig } from "../../config.ts";

const URL = "https://hooks.example.com/in?tenant=1";
const QUOTA = 10;
const UNKNOWN = "wh_01k6z0c9v3e8rbt5w2yq4nmhxd";

let app: TestApp;
let user: TestUser;

beforeAll(async () => {
  const { quotas } = loadConfig({});
  app = await start({ config: { quotas: { ...quotas, webhooks: QUOTA } } });
});
beforeEach(async () => {
  user = await app.signUp();
});

const create = (body: object, token = user.token) =>
  app.request("POST", "/api/webhooks", { token, body: { url: URL, events: ["share.invited"], ...body } });

async function created(body: object = {}): Promise<Json> {
  const { status, data, text } = await create(body);
  expect(status, text).toBe(201);
  return data.webhook as Json;
}

const get = (path: string, token = user.token) => app.request("GET", `/api/webhooks${path}`, { token });
const count = async (): Promise<number> =>
  (await app.pool.query("select from webhooks where user_id = $1", [user.userId])).rowCount ?? 0;

describe("creating a webhook", () => {
  test("returns it with its secret; by default it is active and sends the bare data", async () => {
    const { data } = await create({});
    const now = app.clock.now().toISOString();
    expect(data).toEqual({
      webhook: {
        id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
        url: URL,
        events: ["share.invited"],
        description: "",
        active: true,
        bodyFormat: "data",
        health: {
          lastSuccessAt: null,
          failuresInARow: 0,
          failingSince: null,
          nextAttemptAt: null,
          deactivatedAt: null,
        },
        createdAt: now,
        updatedAt: now,
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });

  test("accepts every field", async () => {
    const fields = {
      url: URL,
      events: [...subscribableEvents],
      description: "Käse ☃",
      active: false,
      bodyFormat: "envelope",
    };
    expect(await created(fields)).toMatchObject(fields);
    expect(await created({ events: [] })).toMatchObject({ events: [] });
  });

  test("shows the secret once: no other response and no database row contains it", async () => {
    const first = await app.request("POST", "/api/webhooks", {
      token: user.token,
      body: { url: URL, events: [] },
      headers: { "idempotency-key": "once" },
    });
    const secret = String(first.data.secret);
    const id = String(first.data.webhook?.id);
    const replay = await app.request("POST", "/api/webhooks", {
      token: user.token,
      body: { url: URL, events: [] },
      headers: { "idempotency-key": "once" },
    });
    expect(replay.data).toEqual({ webhook: first.data.webhook });
    await app.request("POST", `/api/webhooks/${id}/test`, { token: user.token });
    for (const path of ["", `/${id}`, `/${id}/deliveries`]) expect((await get(path)).text).not.toContain(secret);
    const { rows: tables } = await app.pool.query(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')",
    );
    const bytes = Buffer.from(secret.replace("whsec_", ""), "base64").toString("hex");
    for (const { name } of tables) {
      const { rows } = await app.pool.query(`select coalesce(string_agg(t::text, ' '), '') as all from ${name} t`);
      expect(rows[0].all).not.toContain(secret.slice(6));
      expect(rows[0].all).not.toContain(Buffer.from(secret).toString("hex"));
      expect(rows[0].all).not.toContain(bytes);
    }
  });

  test.each([
    "http://example.com/",
    "HTTP://example.com",
    "ftp://example.com",
    "javascript:alert(1)",
    "ws://example.com",
    "mailto:a@example.com",
  ])("refuses an address that is not HTTPS: %s", async (url) => {
    const { status, body } = await create({ url });
    expect([status, body.message]).toEqual([400, "webhook_url_must_be_https"]);
    expect(await count()).toBe(0);
  });

  test.each([
    ["no URL", "example.com"],
    ["no host", "https://"],
    ["a bad port", "https://example.com:99999/"],
    ["a line break", "https://example.com/\n"],
    ["a space", "https://example.com/a b"],
    ["a user", "https://user@example.com/"],
    ["a password", "https://:secret@example.com/"],
    ["a fragment", "https://example.com/#part"],
    ["an empty fragment", "https://example.com/#"],
    ["a private address", "https://10.0.0.1/"],
    ["an address in decimal", "https://167772161/"],
    ["an address in octal", "https://012.0.0.1/"],
    ["an address in hexadecimal", "https://0xa000001/"],
    ["an address in hexadecimal parts", "https://0x0a.0x0.0x0.0x1/"],
    ["an address with ideographic full stops", "https://10。0。0。1/"],
    ["the unspecified address", "https://0.0.0.0/"],
    ["a shared address", "https://100.64.0.1/"],
    ["a link-local address", "https://[fe80::1]/"],
    ["a multicast address", "https://224.0.0.1/"],
    ["a documentation address", "https://192.0.2.1/"],
    ["a documentation address of IPv6", "https://[2001:db8::1]/"],
    ["a mapped address", "https://[::ffff:10.0.0.1]/"],
    ["a compatible address", "https://[::10.0.0.1]/"],
    ["a NAT64 address", "https://[64:ff9b::10.0.0.1]/"],
    ["a 6to4 address", "https://[2002:a00:1::1]/"],
    ["a unique-local address", "https://[fd00::1]/"],
    ["a metadata address", "https://169.254.169.254/latest/meta-data"],
  ])("refuses an address with %s", async (_, url) => {
    const { status, body } = await create({ url });
    expect([status, body.message]).toEqual([400, "validation_failed"]);
    expect(body.errors).toEqual([
      expect.objectContaining({
        path: "/url",
        in: "body",
        code: expect.stringMatching(/^(wrong_format|not_allowed)$/),
      }),
    ]);
    expect(await count()).toBe(0);
  });

  test.each([
    ["https://example.com:8080/", /ports 443, 8443/],
    ["https://example.com:22/", /ports 443, 8443/],
    ["https://8.8.8.8:8444/", /ports 443, 8443/],
    ["https://127.0.0.1:443/", /publicly routable/],
  ])("refuses %s if no network is allowed", async (url, message) => {
    const strict = await start({ config: { webhookAllowedNetworks: [] } });
    const { token } = await strict.signUp();
    const post = (body: object) => strict.request("POST", "/api/webhooks", { token, body: { events: [], ...body } });
    const refused = await post({ url });
    expect([refused.status, refused.body.errors?.[0]?.message]).toEqual([400, expect.stringMatching(message)]);
    const { data } = await post({ url: "https://example.com:443/" });
    const patched = await strict.request("PATCH", `/api/webhooks/${data.webhook?.id}`, { token, body: { url } });
    expect(patched.status).toBe(400);
    for (const allowed of ["https://example.com:8443/", "https://8.8.8.8:8443/", "https://8.8.8.8/"]) {
      expect((await post({ url: allowed })).status).toBe(201);
    }
    await strict.stop();
  });

  test("allows every port on an allowed network", async () => {
    await created({ url: "https://127.0.0.1:9000/" });
    const { status, body } = await create({ url: "https://8.8.8.8:9000/" });
    expect([status, body.errors?.[0]?.path]).toEqual([400, "/url"]);
  });

  test("does not check the addresses of host names: that happens when connecting", async () => {
    await created({ url: "https://localhost:8443/hook" });
    await created({ url: "https://no.such.name.invalid/" });
  });

  test.each([
    ["an unknown event", { events: ["share.invited", "estimation.vanished"] }, "/events/1"],
    ["the event that cannot be subscribed to", { events: ["webhook.test"] }, "/events/0"],
    ["an event twice", { events: ["share.invited", "share.invited"] }, "/events/1"],
    ["no list of events", { events: "share.invited" }, "/events"],
    ["an unknown body format", { bodyFormat: "xml" }, "/bodyFormat"],
    ["a null", { active: null }, "/active"],
    ["an unknown field", { secret: "whsec_mine" }, "/secret"],
    ["a URL too long", { url: `https://example.com/${"x".repeat(limits.urlLength)}` }, "/url"],
    ["a description too long", { description: "x".repeat(limits.webhookDescriptionLength + 1) }, "/description"],
  ])("refuses %s", async (_, body, path) => {
    const { status, body: response } = await create(body);
    expect(status).toBe(400);
    expect(response.errors?.[0]?.path).toBe(path);
    expect(await count()).toBe(0);
  });

  test("accepts a URL and a description of the maximum length", async () => {
    const url = `https://example.com/${"x".repeat(limits.urlLength - 20)}`;
    await created({ url, description: "☃".repeat(limits.webhookDescriptionLength) });
  });

  test("is refused beyond the limit per user, even for simultaneous calls; deleting one makes room", async () => {
    const calls = await Promise.all(Array.from({ length: QUOTA + 5 }, () => create({})));
    const statuses = calls.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(QUOTA);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    const refused = await create({});
    expect(refused.body).toMatchObject({ message: "limit_reached", details: { quota: "webhooks", limit: QUOTA } });
    const id = calls.find(({ status }) => status === 201)?.data.webhook?.id;
    await app.request("DELETE", `/api/webhooks/${id}`, { token: user.token });
    expect((await create({})).status).toBe(201);
  });
});

describe("a user's webhooks", () => {
  test("are listed newest first, in pages", async () => {
    const ids: unknown[] = [];
    for (let at = 0; at < 5; at++) ids.unshift((await created()).id);
    const seen: unknown[] = [];
    for (let query = "?limit=2"; query !== ""; ) {
      const { data } = await get(query);
      seen.push(...(data.webhooks as unknown as Json[]).map(({ id }) => id));
      query = data.nextCursor === null ? "" : `?limit=2&cursor=${data.nextCursor}`;
    }
    expect(seen).toEqual(ids);
    expect((await get("?cursor=nonsense")).body.errors?.[0]?.path).toBe("/cursor");
  });

  test("are changed field by field; read-only fields may be sent back", async () => {
    const webhook = await created();
    await app.clock.advance(1_000);
    const change = (body: object) => app.request("PATCH", `/api/webhooks/${webhook.id}`, { token: user.token, body });
    const changed = { ...webhook, events: ["share.accepted"], active: false, updatedAt: app.clock.now().toISOString() };
    const { status, data } = await change({
      ...webhook,
      events: ["share.accepted"],
      active: false,
      createdAt: "never",
    });
    expect([status, data.webhook]).toEqual([200, changed]);
    await app.clock.advance(1_000);
    expect((await change({})).data.webhook).toEqual(changed);
    expect((await get(`/${webhook.id}`)).data.webhook).toEqual(changed);
    expect((await change({ url: "http://example.com" })).body.message).toBe("webhook_url_must_be_https");
    expect((await change({ url: "https://127.0.0.1@example.com" })).body.errors?.[0]?.path).toBe("/url");
    expect((await change({ events: ["nothing"] })).status).toBe(400);
    expect((await get(`/${webhook.id}`)).data.webhook).toEqual(changed);
  });

  test("are gone once deleted", async () => {
    const webhook = await created();
    const deleted = await app.request("DELETE", `/api/webhooks/${webhook.id}`, { token: user.token });
    expect([deleted.status, deleted.data.webhook]).toEqual([200, webhook]);
    expect((await get("")).data.webhooks).toEqual([]);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/test"],
      ["GET", "/deliveries"],
    ] as const) {
      const body = method === "PATCH" ? { active: true } : undefined;
      expect(
        (await app.request(method, `/api/webhooks/${webhook.id}${path}`, { token: user.token, body })).status,
      ).toBe(404);
    }
    const { rows } = await app.pool.query("select secret from webhooks where id = $1", [webhook.id]);
    expect(rows[0].secret).toHaveLength(0);
  });

  test("are invisible to others, for every method", async () => {
    const webhook = await created();
    const { data } = await app.request("POST", `/api/webhooks/${webhook.id}/test`, { token: user.token });
    const other = await app.signUp();
    for (const id of [String(webhook.id), UNKNOWN, "nonsense"]) {
      for (const [method, path, body] of [
        ["GET", ""],
        ["PATCH", "", { active: false }],
        ["DELETE", ""],
        ["POST", "/test"],
        ["GET", "/deliveries"],
        ["GET", `/deliveries/${data.delivery?.id}`],
      ] as const) {
        const response = await app.request(method, `/api/webhooks/${id}${path}`, { token: other.token, body });
        expect([response.status, response.body.message]).toEqual([404, "not_found"]);
      }
    }
    expect((await get(`/${webhook.id}/deliveries`)).data.deliveries).toHaveLength(1);
    expect((await get("", other.token)).data.webhooks).toEqual([]);
    const theirs = await create({}, other.token);
    const misplaced = await get(`/${theirs.data.webhook?.id}/deliveries/${data.delivery?.id}`, other.token);
    expect(misplaced.status).toBe(404);
  });
});

test("the catalogue lists every event with its schema and an example", async () => {
  const { status, data } = await get("/events");
  expect(status).toBe(200);
  const listed = data.events as unknown as Json[];
  expect(listed.map(({ name }) => name)).toEqual(eventNames);
  for (const { name, when, subscribable, schema, example } of listed) {
    const event = events[String(name) as keyof typeof events];
    expect({ when, subscribable, example }).toEqual({
      when: event.when,
      subscribable: event.subscribable,
      example: event.example,
    });
    expect(schema).toEqual(JSON.parse(JSON.stringify(event.data)));
  }
});

describe("the delivery log", () => {
  const STATUSES = ["pending", "retry_scheduled", "delivered", "failed"];

  /**
   * Creates a webhook with a delivery of every event in every status; returns the ids, newest first, with event and
   * status.
   */
  async function fill(): Promise<{ id: string; all: { id: string; event: string; status: string }[] }> {
    const { id } = await created();
    const all: { id: string; event: string; status: string }[] = [];
    for (const [at, status] of [...STATUSES, ...STATUSES].entries()) {
      for (const event of eventNames) {
        const delivery = app.services.ids.next("delivery");
        await app.pool.query(
          `insert into webhook_deliveries (id, webhook_id, event_id, event, body, status, created_at)
           values ($1, $2, $5, $3, '{}', $4, now())`,
          [delivery, id, event, status, all.length],
        );
        await app.pool.query(
          `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, error)
           values ($1, 2, now(), 7, 'no_usable_address'), ($1, 1, now(), $2, 'timeout')`,
          [delivery, at],
        );
        all.unshift({ id: delivery, event, status });
      }
    }
    return { id: String(id), all };
  }

  async function readAll(id: string, filter: string, limit: number): Promise<Json[]> {
    const seen: Json[] = [];
    for (let cursor = ""; ; ) {
      const { status, data, text } = await get(`/${id}/deliveries?limit=${limit}${filter}${cursor}`);
      expect(status, text).toBe(200);
      seen.push(...(data.deliveries as unknown as Json[]));
      if (data.nextCursor === null) return seen;
      cursor = `&cursor=${data.nextCursor}`;
    }
  }

  test("is read newest first, in pages and with filters, each delivery with its attempts in order", async () => {
    const { id, all } = await fill();
    const idsOf = (rows: readonly { readonly id?: unknown }[]) => rows.map((row) => row.id);
    const read = await readAll(id, "", 7);
    expect(idsOf(read)).toEqual(idsOf(all));
    for (const { attempts } of read) {
      expect((attempts as unknown as Json[]).map(({ number, error }) => [number, error])).toEqual([
        [1, "timeout"],
        [2, "no_usable_address"],
      ]);
    }
    for (const status of STATUSES) {
      const wanted = all.filter((row) => row.status === status);
      expect(idsOf(await readAll(id, `&status=${status}`, 3))).toEqual(idsOf(wanted));
    }
    const ended = all.filter(({ status }) => status === "failed" || status === "delivered");
    expect(idsOf(await readAll(id, "&status=delivered,failed", 3))).toEqual(idsOf(ended));
    expect(idsOf(await readAll(id, `&status=${STATUSES.join("%2C")}&event=${eventNames}`, 7))).toEqual(idsOf(all));
    for (const event of eventNames) {
      const wanted = all.filter((row) => row.event === event);
      expect(idsOf(await readAll(id, `&event=${event}`, 3))).toEqual(idsOf(wanted));
      const failed = wanted.filter((row) => row.status === "failed");
      expect(idsOf(await readAll(id, `&event=${event}&status=failed`, 1))).toEqual(idsOf(failed));
    }
  });

  test("refuses unknown filter values, and cursors of another list", async () => {
    const { id } = await created();
    await created();
    const cursor = (await get("?limit=1")).data.nextCursor;
    for (const [query, path] of [
      ["status=lost", "/status/0"],
      ["status=failed,lost", "/status/1"],
      ["status=failed,failed", "/status/1"],
      ["status=", "/status/0"],
      ["status=failed&status=pending", "/status"],
      ["event=estimation.vanished", "/event/0"],
      ["limit=0", "/limit"],
      ["limit=101", "/limit"],
      [`cursor=${cursor}`, "/cursor"],
    ]) {
      const { status, body } = await get(`/${id}/deliveries?${query}`);
      expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
    }
  });
});
