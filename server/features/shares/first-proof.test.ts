import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { makeMailedToken } from "../auth/mailed-tokens.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { smtpUrl: "smtp://127.0.0.1:1", invitationsPerHour: 1_000 } });
const { invite, listen, toldOf, createEstimation, verify, read, signIn } = createScene(app);
const owner = await app.signUp();
await verify(owner);

const PASSWORD = "chosen by the true owner";
const resetPassword = async ({ userId }: TestUser) => {
  const token = await makeMailedToken(
    app.services.pool,
    await app.services.linkKeys.account(),
    { userId, purpose: "reset-password", cause: randomUUID() },
    app.clock.now(),
  );
  const body = { token, password: PASSWORD };
  expect((await app.request("POST", "/api/auth/reset-password", { body })).status).toBe(200);
};
const tokenOf = async (user: TestUser) => String((await signIn({ ...user, password: PASSWORD })).data.token);
const me = async (token: string) => (await app.request("GET", "/api/auth/me", { token })).status;
const auditOf = async ({ userId }: TestUser) =>
  (await app.pool.query("select event, api_key_id, ip from audit_events where user_id = $1 order by id", [userId]))
    .rows;

/**
 * Registers an address that belongs to another person, with a key, a webhook for everything about shares, and a
 * connection to a tracker.
 */
async function registerForAnother() {
  const account = await app.signUp();
  const key = await app.makeKey(account, ["admin"]);
  await listen(account);
  const body = { target: "github", name: "Theirs", token: "github_pat_11AAAAAAA0verysecretverysecret" };
  expect((await app.request("POST", "/api/connections", { token: account.token, body })).status).toBe(201);
  return { account, key };
}

async function share(email: string) {
  const estimation = await createEstimation(owner);
  expect((await invite(owner, estimation, email, "edit")).status).toBe(201);
  return estimation;
}

test("what is shared with an address is closed to keys, webhooks and connections from before a reset first proved it", async () => {
  const { account, key } = await registerForAnother();
  const estimation = await share(account.email);
  await resetPassword(account);
  expect((await read({ token: key }, estimation)).status).toBe(401);
  const body = { title: "Taken" };
  const write = await app.request("PUT", `/api/estimations/${estimation}`, { token: key, body });
  expect(write.status).toBe(401);
  expect(await toldOf(estimation)).toEqual([]);
  const token = await tokenOf(account);
  expect((await read({ token }, estimation)).data.estimation?.access).toBe("editor");
  expect((await app.request("GET", "/api/webhooks", { token })).data.webhooks).toEqual([]);
  expect((await app.request("GET", "/api/connections", { token })).data.connections).toEqual([]);
  const told = (await auditOf(account)).slice(-5, -1);
  const removals = ["api_key.revoked", "connection.removed", "webhooks.removed"];
  expect(told.map(({ event }) => event)).toEqual(["password.reset", ...removals]);
  expect(told[1]).toEqual({ event: "api_key.revoked", api_key_id: expect.stringMatching(/^key_/), ip: "127.0.0.1" });
});

test("that also holds if the invitation comes later: a reset by itself ends no key", async () => {
  const { account, key } = await registerForAnother();
  await resetPassword(account);
  await app.clock.advance(1_000);
  expect(await me(key)).toBe(200);
  const mine = { ...account, token: await tokenOf(account) };
  const ownKey = await app.makeKey(mine, ["estimations:read"]);
  // The stranger's key can still add a webhook until then.
  const hook = { url: "https://hooks.example.com/late", events: ["share.accepted"] };
  expect((await app.request("POST", "/api/webhooks", { token: key, body: hook })).status).toBe(201);
  const estimation = await share(account.email);
  await tokenOf(account);
  expect([await me(key), await me(ownKey)]).toEqual([401, 200]);
  expect((await read({ token: ownKey }, estimation)).status).toBe(200);
  expect(await toldOf(estimation)).toEqual([]);
});

test("keys and webhooks stay if the address was proved before, and so do those made since the proof", async () => {
  const account = await app.signUp();
  await verify(account);
  const key = await app.makeKey(account, ["estimations:read"]);
  await listen(account);
  await resetPassword(account);
  const estimation = await share(account.email);
  await tokenOf(account);
  expect((await read({ token: key }, estimation)).status).toBe(200);
  expect((await toldOf(estimation)).map(({ receivers }) => receivers)).toEqual([[account.userId]]);
  await app.clock.advance(1_000);
  const next = await share(account.email);
  await tokenOf(account);
  expect((await read({ token: key }, next)).status).toBe(200);
});
