import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { identityEventNames, USER_AGENT_LENGTH } from "../../../contract/endpoints/audit-log.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { retentionJobs } from "../../worker.ts";
import { removeEvents } from "./store.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000, trustProxy: ["127.0.0.1/32"] } });

interface Event {
  readonly id: string;
  readonly event: string;
  readonly createdAt: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly apiKeyId: string | null;
}

const page = async (token: string, query = "") => {
  const { status, data, text } = await app.request("GET", `/api/audit-log${query}`, { token });
  if (status !== 200) throw new Error(text);
  return data as unknown as { events: Event[]; nextCursor: string | null };
};
const eventsOf = async (token: string) => (await page(token, "?limit=100")).events;
const headers = { "x-forwarded-for": "203.0.113.5", "user-agent": "Tester/1.0" };

/** A token of a mailed link, as the mail leaves it behind. */
async function mailed({ userId }: TestUser, purpose: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const row = [userId, purpose, Buffer.from(token), app.clock.now()];
  await app.pool.query("insert into mailed_tokens values ($1, $2, sha256($3), $4)", row);
  return token;
}

describe("the audit log", () => {
  it("shows its user everything that happened to the account: what, when, from where, to which key (V16.3.1)", async () => {
    const email = `${randomBytes(6).toString("hex")}@example.com`;
    const password = "correct horse battery";
    const expected: [string, string, string | null][] = [];
    const post = async (path: string, body: unknown, token?: string, status = 200) => {
      const response = await app.request("POST", path, { body, headers, ...(token ? { token } : {}) });
      expect(response.status, response.text).toBe(status);
      return response.data;
    };
    const happened = (event: string, apiKeyId: string | null = null) =>
      expected.unshift([event, app.clock.now().toISOString(), apiKeyId]);

    const registered = await post("/api/auth/register", { email, password }, undefined, 201);
    happened("user.registered");
    happened("session.created");
    const user = { userId: String(registered.user?.id), token: String(registered.token), email, password };
    await app.clock.advance(1_000);
    await post("/api/auth/login", { email, password: "wrong" }, undefined, 401);
    happened("session.login_failed");
    await app.clock.advance(1_000);
    let token = String((await post("/api/auth/login", { email: ` ${email.toUpperCase()}`, password })).token);
    happened("session.created");

    const made = await post("/api/api-keys", { name: "k", scopes: [] }, token, 201);
    const keyId = String(made.apiKey?.id);
    happened("api_key.created", keyId);
    const change = async (method: string, body?: unknown) =>
      app.request(method, `/api/api-keys/${keyId}`, { token, body, headers });
    await change("PATCH", { scopes: ["tasks:read"] });
    happened("api_key.updated", keyId);
    await change("PATCH", {});
    await post(`/api/api-keys/${keyId}/rotate`, undefined, token);
    happened("api_key.rotated", keyId);
    await change("DELETE");
    happened("api_key.revoked", keyId);
    await change("DELETE");

    const connection = { target: "github", name: "Ours", token: "ghp_0123456789" };
    const connected = await post("/api/connections", connection, token, 201);
    happened("connection.created");
    const atConnection = async (method: string, body?: unknown) =>
      app.request(method, `/api/connections/${connected.connection?.id}`, { token, body, headers });
    await atConnection("PATCH", { name: "Theirs" });
    happened("connection.updated");
    await atConnection("PATCH", { token: "ghp_9876543210" });
    happened("connection.token_replaced");
    await atConnection("DELETE");
    happened("connection.removed");

    await post("/api/auth/change-password", { currentPassword: "wrong", newPassword: "a new password" }, token, 401);
    happened("password.change_failed");
    token = String(
      (await post("/api/auth/change-password", { currentPassword: password, newPassword: "a new password" }, token))
        .token,
    );
    happened("password.changed");
    await post("/api/auth/verify-email/resend", undefined, token, 202);
    happened("email.verification_requested");
    await post("/api/auth/verify-email", { token: await mailed(user, "verify-email") });
    happened("email.verified");
    await post("/api/auth/forgot-password", { email }, undefined, 202);
    happened("password.reset_requested");
    await post("/api/auth/reset-password", {
      token: await mailed(user, "reset-password"),
      password: "a third password",
    });
    happened("password.reset");
    token = String((await post("/api/auth/login", { email, password: "a third password" })).token);
    happened("session.created");
    await post("/api/auth/logout", undefined, token);
    happened("session.logged_out");
    token = String((await post("/api/auth/login", { email, password: "a third password" })).token);
    happened("session.created");
    token = String((await post("/api/auth/login", { email, password: "a third password" })).token);
    happened("session.created");
    const { data } = await app.request("GET", "/api/auth/sessions", { token });
    await app.request("DELETE", `/api/auth/sessions/${data.sessions?.[1]?.id}`, { token, headers });
    happened("session.ended");

    const events = await eventsOf(token);
    expect(events.map(({ event, createdAt, apiKeyId }) => [event, createdAt, apiKeyId])).toEqual(expected);
    for (const event of events) {
      expect([event.ip, event.userAgent]).toEqual(["203.0.113.5", "Tester/1.0"]);
      expect(Object.keys(event).sort()).toEqual(["actor", "apiKeyId", "createdAt", "event", "id", "ip", "userAgent"]);
    }
    // The entries of sign-ins with Google, of invitations, of teams and of what administrators do are in the tests of those.
    const others = ["password.removed", "webhooks.removed", "sessions.ended"];
    const areas = /^(google|account|administrator|estimations|team)\./;
    const elsewhere = identityEventNames.filter((name) => areas.test(name) || others.includes(name));
    expect(new Set([...expected.map(([event]) => event), ...elsewhere])).toEqual(new Set(identityEventNames));
    const { rows } = await app.pool.query("select e::text as row from audit_events e where user_id = $1", [
      user.userId,
    ]);
    const stored = rows.map(({ row }) => row).join();
    for (const secret of [password, "a new password", "wrong", "ghp_", token, String(made.plaintext).slice(9), email]) {
      expect(stored).not.toContain(secret);
    }
  });

  it("shows nothing of other users, and cannot be read with an API key", async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    await app.makeKey(other, []);
    expect((await eventsOf(user.token)).map(({ event }) => event)).toEqual(["session.created", "user.registered"]);
    const key = await app.makeKey(user, ["admin"]);
    expect((await app.request("GET", "/api/audit-log", { token: key })).status).toBe(403);
  });

  it("pages newest first without gaps or repetition while more is added", async () => {
    const user = await app.signUp();
    for (let at = 0; at < 5; at += 1) await app.makeKey(user, []);
    const all = await eventsOf(user.token);
    const seen: Event[] = [];
    let cursor: string | null = "";
    for (let pages = 0; cursor !== null; pages += 1) {
      const { events, nextCursor } = await page(user.token, `?limit=3${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...events);
      cursor = nextCursor;
      await app.makeKey(user, []);
      expect(pages).toBeLessThan(4);
    }
    expect(seen).toEqual(all);
    const refused = await app.request("GET", "/api/audit-log?cursor=x", { token: user.token });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/cursor"]);
  });

  it.each([
    ["203.0.113.5:4711", "203.0.113.5"],
    ["[2001:db8::7]:443", "2001:db8::7"],
    ["203.0.113.5, 2001:DB8::8", "2001:db8::8"],
    ["203.0.113.5, unknown", "127.0.0.1"],
    ["203.0.113.5, <b>203.0.113.6</b>", "127.0.0.1"],
    ["999.1.1.1", "127.0.0.1"],
    ["' or 1=1", "127.0.0.1"],
  ])("stores an address and nothing else if a proxy forwards for %j", async (forwarded, address) => {
    const user = await app.signUp();
    const body = { email: user.email, password: user.password };
    await app.request("POST", "/api/auth/login", { body, headers: { "x-forwarded-for": forwarded } });
    expect((await eventsOf(user.token))[0]?.ip).toBe(address);
  });

  it("cuts long user agents, and accepts any characters", async () => {
    const user = await app.signUp();
    const long = `é${"x".repeat(2_000)}`;
    await app.request("POST", "/api/auth/login", {
      body: { email: user.email, password: user.password },
      headers: { "user-agent": Buffer.from(long, "latin1").toString("latin1") },
    });
    const [event] = await eventsOf(user.token);
    expect([...(event?.userAgent ?? "")]).toHaveLength(USER_AGENT_LENGTH);
  });

  it("stores no credential that a client puts into its user agent", async () => {
    const user = await app.signUp();
    const key = await app.makeKey(user, ["admin"]);
    const filler = "x".repeat(USER_AGENT_LENGTH - 20);
    for (const agent of [`Tool/1.0 (${key})`, `Tool Bearer ${user.token}`, `${filler} ${key}`, "a.".repeat(4_000)]) {
      const body = { email: user.email, password: user.password };
      const { status } = await app.request("POST", "/api/auth/login", { body, headers: { "user-agent": agent } });
      expect(status).toBe(200);
    }
    const { rows } = await app.pool.query("select user_agent from audit_events where user_id = $1", [user.userId]);
    const agents = rows.map(({ user_agent }) => String(user_agent));
    expect(agents.filter((agent) => agent.startsWith("Tool"))).toEqual([
      "Tool/1.0 (svc_live_[redacted])",
      "Tool Bearer [redacted]",
    ]);
    for (const agent of agents) {
      expect(agent.length).toBeLessThanOrEqual(USER_AGENT_LENGTH);
      expect(agent).not.toMatch(/svc_live_[\w-]|eyJ/);
    }
  });

  it("stores failed sign-ins to unknown accounts for the operator, and shows them to no user (V16.3.1)", async () => {
    const user = await app.signUp();
    await app.request("POST", "/api/auth/login", { body: { email: "nobody@example.com", password: "wrong" } });
    const { rows } = await app.pool.query("select event from audit_events where user_id is null");
    expect(rows).toEqual([{ event: "session.login_failed" }]);
    expect(await eventsOf(user.token)).toHaveLength(2);
  });

  it("records nothing that was rolled back, and an event that cannot be recorded rolls back its cause", async () => {
    const user = await app.signUp();
    const missing = `/api/api-keys/key_${"0".repeat(26)}/rotate`;
    const response = await app.request("POST", missing, { token: user.token });
    expect(response.status).toBe(404);
    await app.pool.query("alter table audit_events rename to gone");
    const attempts: [string, unknown, string?][] = [
      ["/api/api-keys", { name: "k", scopes: [] }, user.token],
      ["/api/auth/logout", undefined, user.token],
      ["/api/auth/login", { email: user.email, password: user.password }],
      ["/api/auth/register", { email: "unheard@example.com", password: user.password }],
      ["/api/auth/change-password", { currentPassword: user.password, newPassword: "another one" }, user.token],
    ];
    const attemptAll = async () => {
      for (const [path, body, token] of attempts) {
        expect((await app.request("POST", path, { body, ...(token ? { token } : {}) })).status, path).toBe(500);
      }
    };
    await attemptAll();
    await app.pool.query("alter table gone rename to audit_events");
  });

  it("removes entries older than the retention, and no others", async () => {
    const [old, recent] = [await app.signUp(), await app.signUp()];
    const limit = new Date(app.clock.now().getTime() - app.services.config.auditLogRetentionDays * 86_400_000);
    const setTime = (user: TestUser, time: Date) =>
      app.pool.query("update audit_events set created_at = $2 where user_id = $1", [user.userId, time]);
    await setTime(old, new Date(limit.getTime() - 1));
    await setTime(recent, limit);
    const forget = retentionJobs(app.services).find(({ name }) => name === "remove-old-audit-events");
    await forget?.run(null, { lease: { key: "", token: "" }, signal: new AbortController().signal });
    expect(await eventsOf(old.token)).toEqual([]);
    expect(await eventsOf(recent.token)).toHaveLength(2);
  });

  it("removes a limited number at a time, the oldest first", async () => {
    const user = await app.signUp();
    const [first, second] = [...(await eventsOf(user.token))].reverse();
    const limit = new Date("2001-01-01T00:00:00Z");
    for (const [at, { id }] of [second, first].filter((event) => event !== undefined).entries())
      await app.pool.query("update audit_events set created_at = $2 where id = $1", [id, new Date(at)]);
    expect(await removeEvents(app.services.pool, limit, 1)).toBe(1);
    expect((await eventsOf(user.token)).map(({ id }) => id)).toEqual([first?.id]);
    expect(await removeEvents(app.services.pool, limit, 1_000)).toBe(1);
    expect(await removeEvents(app.services.pool, limit, 1_000)).toBe(0);
  });
});
