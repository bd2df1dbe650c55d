import { expect, test } from "vitest";
import { scopesOf } from "../../../contract/endpoint.ts";
import { start } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample } from "../call.ts";
import { otherScopesAreRefused, scopesAreJudgedFirst } from "../loops/scopes.ts";
import { recordsBelongToTheirParent, strangersFindNothing } from "../loops/strangers-find-nothing.ts";
import { uselessCredentialsAreRefused } from "../loops/useless-credentials.ts";
import { makeWorld, sampleConfig } from "../samples.ts";
import { accountCalls } from "./account.ts";
import { expectLooped, idsOf } from "./looped.ts";

const app = await start({ config: sampleConfig });
const victim = await makeWorld(app);
const intruder = await makeWorld(app);
const { me } = accountCalls(app);

test("V8.2.1 every endpoint that is not declared open requires a credential before it does anything", () => {
  const closed = idsOf(({ access }) => access !== "anyone");
  expect(closed.length).toBeGreaterThan(40);
  expectLooped(uselessCredentialsAreRefused, closed);
});

/** Rows that want a scope, or a session. */
const bound = idsOf(({ access }) => scopesOf(access).length > 0 || access === "session");

test("V8.2.1 a key with every scope but the required one is refused, and changes nothing", () => {
  expect(idsOf(({ access }) => scopesOf(access).length > 0).length).toBeGreaterThan(25);
  expectLooped(otherScopesAreRefused, bound);
});

test("V8.2.1 a key without scopes can only read who it belongs to", async () => {
  const token = await app.makeKey(victim.user, []);
  const open: string[] = [];
  for (const [id] of uselessCredentialsAreRefused.endpoints)
    if ((await callSample(app, id, victim, { token })).status !== 403) open.push(id);
  expect(open).toEqual(["getCurrentUser"]);
});

test("V8.2.1 no key, not even `admin`, has access to keys, passwords, sessions, the audit log or other users", () => {
  expect(idsOf(({ access }) => access === "session").length).toBeGreaterThan(10);
  expectLooped(otherScopesAreRefused, bound);
});

test("V8.2.1 the scope is checked before the body and the record, so that a refusal reveals nothing about either", () => {
  expectLooped(scopesAreJudgedFirst, bound);
});

test("V8.2.2 requests for another user's records get the response for missing ones, with a session and with an `admin` key, and nothing changes", () => {
  const withRecord = idsOf(({ path, access }) => path.includes(":") && access !== "anyone");
  expect(withRecord.length).toBeGreaterThan(25);
  expectLooped(strangersFindNothing, withRecord);
});

test("V8.2.2 one's own record gives no access to another user's record below it", () => {
  const below = idsOf(({ path, access }) => path.split("/:").length > 2 && access !== "anyone");
  expect(below.length).toBeGreaterThan(8);
  expectLooped(recordsBelongToTheirParent, below);
});

test("V8.2.2 ids of another user's records in a body have no effect", async () => {
  const { user, estimation, node, option } = intruder;
  const at = `/api/estimations/${estimation}/tree`;
  const attempts: [string, string, object][] = [
    ["POST", `${at}/options/${option}/move`, { nodeId: victim.node }],
    ["POST", `${at}/nodes/${node}/move`, { parentOptionId: victim.option }],
    ["POST", `${at}/nodes`, { title: "x", kind: "group", parentOptionId: victim.option }],
  ];
  await changesNothing(app, async () => {
    for (const [method, path, body] of attempts) {
      const { status } = await app.request(method, path, { token: user.token, body });
      expect([400, 404], path).toContain(status);
    }
  });
});

test("V8.2.2 lists show only one's own records, on every page", async () => {
  const stranger = await app.signUp();
  const lists: [string, string][] = [
    ["/api/estimations", "estimations"],
    ["/api/api-keys", "apiKeys"],
    ["/api/webhooks", "webhooks"],
  ];
  for (const [path, name] of lists) {
    const { data } = await app.request("GET", path, { token: stranger.token });
    expect(data[name], path).toEqual([]);
  }
  const { data } = await app.request("GET", "/api/audit-log", { token: stranger.token });
  expect((data.events as unknown as { event: string }[]).map(({ event }) => event).sort()).toEqual([
    "session.created",
    "user.registered",
  ]);
});

test("V8.2.2 another user's `cursor` shows nothing of that user's list", async () => {
  await app.makeKey(victim.user, []);
  const page = await app.request("GET", "/api/api-keys?limit=1", { token: victim.user.token });
  const cursor = String(page.data.nextCursor);
  const stranger = await app.signUp();
  const { status, data } = await app.request("GET", `/api/api-keys?cursor=${cursor}`, { token: stranger.token });
  expect([status, data.apiKeys]).toEqual([200, []]);
});

test("V8.2.3 responses contain no field that is not meant for the caller", async () => {
  const { data } = await me(victim.user.token);
  expect(Object.keys(data.user ?? {}).sort()).toEqual([
    "avatarUrl",
    "createdAt",
    "email",
    "emailVerifiedAt",
    "id",
    "name",
  ]);
  const found = await app.request("GET", `/api/users?q=${victim.user.email}`, { token: intruder.user.token });
  expect(found.data.users).toEqual([
    { id: victim.user.userId, email: victim.user.email, name: victim.user.email.split("@")[0] },
  ]);
  for (const path of ["/api/api-keys", "/api/webhooks", "/api/estimations"]) {
    const { text } = await app.request("GET", path, { token: victim.user.token });
    expect(text, path).not.toMatch(/"(hash|secret|plaintext|passwordHash|tokenVersion|userId)"/);
  }
});

test("V8.3.1 headers that name a user, a role or another path change nothing", async () => {
  const headers = {
    "x-user-id": victim.user.userId,
    "x-forwarded-user": victim.user.userId,
    "x-remote-user": victim.user.email,
    "x-role": "admin",
    "x-scopes": "admin",
    "x-original-url": `/api/estimations/${victim.estimation}`,
    "x-rewrite-url": `/api/estimations/${victim.estimation}`,
  };
  expect((await app.request("GET", "/api/auth/me", { headers })).status).toBe(401);
  expect((await me(intruder.user.token, headers)).data.user?.id).toBe(intruder.user.userId);
  const token = await app.makeKey(intruder.user, []);
  expect((await app.request("GET", "/api/estimations", { token, headers })).status).toBe(403);
});

test("V8.3.2 changed scopes take effect with the next request, whether wider or narrower", async () => {
  const { token } = victim.user;
  const made = await app.request("POST", "/api/api-keys", { token, body: { name: "k", scopes: ["estimations:read"] } });
  const key = String(made.data.plaintext);
  const read = async () => (await app.request("GET", "/api/estimations", { token: key })).status;
  const setScopes = (scopes: readonly string[]) =>
    app.request("PATCH", `/api/api-keys/${made.data.apiKey?.id}`, { token, body: { scopes } });
  const seen = [await read()];
  for (const scopes of [[], ["admin"], ["tasks:read"], ["estimations:read"]]) {
    await setScopes(scopes);
    seen.push(await read());
  }
  expect(seen).toEqual([200, 403, 200, 403, 200]);
});

test("V8.3.2 a revoked, a rotated and an expired key fail at once, with the same response", async () => {
  const { token } = victim.user;
  const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const make = async (body: object) => {
    const { data } = await app.request("POST", "/api/api-keys", { token, body: { name: "k", scopes: [], ...body } });
    return { key: String(data.plaintext), path: `/api/api-keys/${data.apiKey?.id}` };
  };
  const [revoked, rotated, expiring] = [await make({}), await make({}), await make({ expiresAt })];
  for (const { key } of [revoked, rotated, expiring]) expect((await me(key)).status).toBe(200);
  await app.request("DELETE", revoked.path, { token });
  const fresh = await app.request("POST", `${rotated.path}/rotate`, { token });
  await app.clock.advance(60_000);
  for (const { key } of [revoked, rotated, expiring]) {
    const { status, body } = await me(key);
    expect([status, body.message, body.details]).toEqual([401, "api_key_invalid", undefined]);
  }
  expect((await me(String(fresh.data.plaintext))).status).toBe(200);
});

test("V8.3.2 what has been revoked stays revoked", async () => {
  const { token } = victim.user;
  const made = await app.request("POST", "/api/api-keys", { token, body: { name: "k", scopes: [] } });
  const path = `/api/api-keys/${made.data.apiKey?.id}`;
  await app.request("DELETE", path, { token });
  expect((await app.request("POST", `${path}/rotate`, { token })).status).toBe(409);
  expect((await app.request("PATCH", path, { token, body: { scopes: ["admin"] } })).status).toBe(409);
  for (const body of [{ revokedAt: null }, { expiresAt: "2999-01-01T00:00:00.000Z" }])
    expect((await app.request("PATCH", path, { token, body })).status).toBe(409);
  expect((await me(String(made.data.plaintext))).status).toBe(401);
});

test("V8.4.1 one user's Idempotency-Key replays nothing to another, nor to a key without the scope", async () => {
  const body = { title: "Private" };
  const headers = { "idempotency-key": "shared-by-chance" };
  const send = (token: string) => app.request("POST", "/api/estimations", { token, body, headers });
  const first = await send(victim.user.token);
  const other = await send(intruder.user.token);
  expect([first.status, other.status, other.headers.get("idempotent-replayed")]).toEqual([201, 201, null]);
  expect(other.data.estimation?.id).not.toBe(first.data.estimation?.id);
  const replayed = await send(victim.user.token);
  expect([replayed.headers.get("idempotent-replayed"), replayed.data]).toEqual(["true", first.data]);
  expect((await send(await app.makeKey(victim.user, ["estimations:read"]))).status).toBe(403);
});

test("V8.4.1 one user's requests do not count against another's limit", async () => {
  const small = await start({ config: { rateLimitPerMinute: 5 } });
  const [busy, quiet] = [await small.signUp(), await small.signUp()];
  const calls = accountCalls(small);
  const statuses = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await calls.me(busy.token)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await calls.me(quiet.token)).status).toBe(200);
});

test("V8.4.1 one user cannot write in another's name", async () => {
  const { token } = intruder.user;
  const { userId } = victim.user;
  const own = `/api/estimations/${intruder.estimation}`;
  const attempts: [string, string, object][] = [
    ["POST", "/api/estimations", { title: "x", ownerId: userId }],
    ["POST", "/api/api-keys", { name: "x", scopes: ["admin"], userId }],
    ["POST", "/api/webhooks", { url: "https://hooks.example.com", events: [], userId }],
    ["PATCH", `/api/webhooks/${intruder.webhook}`, { userId }],
    ["PUT", own, { title: "Not mine", ownerId: userId }],
  ];
  await changesNothing(app, async () => {
    for (const [method, path, body] of attempts)
      expect((await app.request(method, path, { token, body })).status, path).toBe(400);
  });
  const put = await app.request("PUT", own, {
    token,
    body: { title: "Still mine", access: "viewer" },
  });
  expect([put.status, put.data.estimation?.ownerId, put.data.estimation?.access]).toEqual([
    200,
    intruder.user.userId,
    "owner",
  ]);
});
