import { expect, test } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { start } from "../../harness.ts";
import { saveRows } from "../../support/saved-rows.ts";
import { callSample } from "../call.ts";
import { makeWorld, sampleConfig } from "../samples.ts";
import { accountCalls, signUpWithLinks } from "./account.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const victim = await makeWorld(app);
const intruder = await makeWorld(app);
const { me, exchange, reset, verify } = accountCalls(app);

test("sessions begin in three documented ways and in no other (V6.3.4)", async () => {
  const opening: string[] = [];
  const { restore } = await saveRows(app.pool);
  for (const [id, { access }] of endpointEntries) {
    if (access !== "anyone") continue;
    const { data } = await callSample(app, id, victim);
    await restore();
    if (data.token !== undefined) opening.push(id);
  }
  expect(opening.sort()).toEqual(["exchangeCode", "logIn", "registerUser"]);
});

test("a key without scopes can only read who it belongs to (V8.2.1)", async () => {
  const token = await app.makeKey(victim.user, []);
  const open: string[] = [];
  for (const [id, { access }] of endpointEntries)
    if (access !== "anyone" && (await callSample(app, id, victim, { token })).status !== 403) open.push(id);
  expect(open).toEqual(["getCurrentUser"]);
});

test("ids of another user's records in a body have no effect (V8.2.2)", async () => {
  const { user, estimation, node, option } = intruder;
  const at = `/api/estimations/${estimation}/tree`;
  const attempts: [string, string, object][] = [
    ["POST", `${at}/options/${option}/move`, { nodeId: victim.node }],
    ["POST", `${at}/nodes/${node}/move`, { parentOptionId: victim.option }],
    ["POST", `${at}/nodes`, { title: "x", kind: "group", parentOptionId: victim.option }],
  ];
  for (const [method, path, body] of attempts) {
    const { status } = await app.request(method, path, { token: user.token, body });
    expect([400, 404], path).toContain(status);
  }
});

test("lists show only one's own records, on every page (V8.2.2)", async () => {
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

test("another user's `cursor` shows nothing of that user's list (V8.2.2)", async () => {
  await app.makeKey(victim.user, []);
  const page = await app.request("GET", "/api/api-keys?limit=1", { token: victim.user.token });
  const cursor = String(page.data.nextCursor);
  const stranger = await app.signUp();
  const { status, data } = await app.request("GET", `/api/api-keys?cursor=${cursor}`, { token: stranger.token });
  expect([status, data.apiKeys]).toEqual([200, []]);
});

test("headers that name a user, a role or another path change nothing (V8.3.1)", async () => {
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

test("secrets for other purposes are not accepted as bearer credentials (V9.2.2)", async () => {
  const world = victim;
  const { data } = await app.request("POST", `/api/webhooks/${world.webhook}/rotate-secret`, {
    token: world.user.token,
  });
  const sealed = await app.services.sealing.sealBriefly(
    JSON.stringify({ userId: world.user.userId }),
    "google-sign-in",
  );
  const others = [
    world.exchangeCode,
    world.resetToken,
    world.verificationToken,
    String(data.secret),
    sealed.toString("base64url"),
    world.user.userId,
    world.apiKey,
  ];
  for (const token of others) {
    const { status, body, headers } = await me(token);
    expect([status, body.message, headers.get("www-authenticate")], token).toEqual([
      401,
      "Invalid or expired token",
      "Bearer",
    ]);
  }
});

test("a secret for one purpose works for no other, and trying does not use it up (V9.2.2)", async () => {
  const { user: owner, exchangeCode, resetToken, verificationToken } = await signUpWithLinks(app);
  const key = await app.makeKey(owner, ["admin"]);
  const password = "another fine password";
  for (const wrong of [owner.token, key, resetToken, verificationToken])
    expect((await exchange(wrong)).body.code).toBe("INVALID_EXCHANGE_CODE");
  for (const wrong of [owner.token, key, exchangeCode, verificationToken])
    expect((await reset(wrong, password)).body.message).toBe("invalid_reset_token");
  for (const wrong of [owner.token, key, exchangeCode, resetToken])
    expect((await verify(wrong)).body.message).toBe("invalid_verification_token");
  expect([
    (await exchange(exchangeCode)).status,
    (await verify(verificationToken)).status,
    (await reset(resetToken, password)).status,
  ]).toEqual([200, 200, 200]);
});

test("while the database is unavailable nobody can sign in (V16.5.3)", async () => {
  const broken = await start();
  const user = await broken.signUp();
  const key = await broken.makeKey(user, ["admin"]);
  await broken.pool.query("alter table users rename to gone_users");
  for (const credential of [user.token, key]) {
    const { status, data } = await broken.request("GET", "/api/estimations", { token: credential });
    expect([status >= 500, data]).toEqual([true, {}]);
  }
  const body = { email: user.email, password: user.password };
  const refused = await broken.request("POST", "/api/auth/login", { body });
  expect([refused.status >= 500, refused.data]).toEqual([true, {}]);
});
