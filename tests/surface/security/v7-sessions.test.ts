import { expect, test } from "vitest";
import { contract } from "../../../contract/index.ts";
import { start, type TestUser } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { samplesSucceed } from "../loops/samples-succeed.ts";
import { uselessCredentialsAreRefused } from "../loops/useless-credentials.ts";
import { sampleConfig } from "../samples.ts";
import { accountCalls, newEmail, signUpWithLinks } from "./account.ts";
import { decode } from "./forge.ts";
import { expectLooped, idsOf } from "./looped.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const { me, register, logIn, logOut, renew, change, reset, exchange } = accountCalls(app);
const MINUTE_MS = 60_000;

const tokenOf = async ({ email, password }: Pick<TestUser, "email" | "password">) =>
  String((await logIn(email, password)).data.token);
/** Three devices of one user, signed in within the same second. */
async function threeDevices(user: TestUser): Promise<string[]> {
  const tokens = [user.token, await tokenOf(user), await tokenOf(user)];
  expect(new Set(tokens).size).toBe(3);
  return tokens;
}
async function expectRevoked(tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    const { status, body } = await me(token);
    expect([status, body.message, body.code]).toEqual([401, "token_revoked", "TOKEN_REVOKED"]);
    for (const attempt of [await renew(token), await logOut(token)]) expect(attempt.status).toBe(401);
  }
}

test("V7.2.1 a session token counts only in the Authorization header: not in a query, a cookie, a body or another header", async () => {
  const { token } = await app.signUp();
  const path = "/api/auth/me";
  for (const name of ["access_token", "token", "authorization", "jwt"])
    expect((await app.request("GET", `${path}?${name}=${token}`)).status, name).toBe(401);
  for (const name of ["token", "session", "access_token", "Authorization", "__Host-google-sign-in"])
    expect((await app.request("GET", path, { headers: { cookie: `${name}=${token}` } })).status, name).toBe(401);
  for (const name of ["x-access-token", "x-auth-token", "x-api-key", "proxy-authorization"])
    expect((await app.request("GET", path, { headers: { [name]: `Bearer ${token}` } })).status, name).toBe(401);
  const body = { access_token: token, token };
  expect((await app.request("POST", "/api/auth/logout", { body })).status).toBe(401);
  expect((await me(token)).status).toBe(200);
});

test("V7.2.1 no response stores a session in the browser: the only cookie is that of a sign-in with Google", () => {
  // This loop looks for cookies in the responses.
  expectLooped(
    samplesSucceed,
    idsOf(() => true),
  );
  const redirecting = samplesSucceed.endpoints.filter(([, { response }]) => "location" in response).map(([id]) => id);
  expect(redirecting).toEqual(["startGoogleSignIn", "finishGoogleSignIn"]);
});

test("V7.2.2 an API key is not a session: it can neither open, renew nor end one", async () => {
  const user = await app.signUp();
  const key = await app.makeKey(user, ["admin"]);
  for (const response of [await renew(key), await logOut(key), await change(key, user.password, "a new password")])
    expect([response.status, response.body.message, response.data]).toEqual([403, "session_token_required", {}]);
  expect((await me(user.token)).status).toBe(200);
});

test("V7.2.4 signing in always returns a new token, whatever token the request has", async () => {
  const attacker = await app.signUp();
  const user = await app.signUp();
  // Within the same second, so that they do not differ only by their time.
  const { data } = await logIn(user.email, user.password, {
    authorization: `Bearer ${attacker.token}`,
    cookie: `token=${attacker.token}`,
  });
  expect([attacker.token, user.token]).not.toContain(data.token);
  expect((await me(String(data.token))).data.user?.id).toBe(user.userId);
  expect((await me(attacker.token)).data.user?.id).toBe(attacker.userId);
});

test("V7.2.4 changing the password ends the session and begins another", async () => {
  const user = await app.signUp();
  const { data } = await change(user.token, user.password, "a new fine password");
  await expectRevoked([user.token]);
  expect((await me(String(data.token))).data.user?.id).toBe(user.userId);
});

test("V7.3.1 a session that is not used ends after an hour, and cannot be renewed from then on", async () => {
  const user = await app.signUp();
  await app.clock.advance(59 * MINUTE_MS);
  expect((await me(user.token)).status).toBe(200);
  await app.clock.advance(MINUTE_MS);
  for (const response of [await me(user.token), await renew(user.token)])
    expect([response.status, response.body.message]).toEqual([401, "Invalid or expired token"]);
});

test("V7.3.2 using a token does not extend it: it ends after its hour, and the response that issues it says when", async () => {
  const { data } = await register(newEmail(), "correct horse battery");
  const token = String(data.token);
  const { iat, exp } = decode(token.split(".")[1] ?? "");
  expect(Number(exp) - Number(iat)).toBe(3_600);
  expect(Date.parse(String(data.expiresAt))).toBe(Number(exp) * 1000);
  for (let minutes = 0; minutes < 50; minutes += 10) {
    await app.clock.advance(10 * MINUTE_MS);
    expect((await me(token)).status).toBe(200);
  }
  await app.clock.advance(10 * MINUTE_MS);
  expect((await me(token)).status).toBe(401);
});

test("V7.4.1 logging out ends every session on every device at once, including renewed ones", async () => {
  const user = await app.signUp();
  const bystander = await app.signUp();
  const devices = await threeDevices(user);
  const renewed = String((await renew(devices[1] ?? "")).data.token);
  expect((await logOut(devices[2] ?? "")).status).toBe(200);
  await expectRevoked([...devices, renewed]);
  expect((await me(bystander.token)).status).toBe(200);
  expect((await me(await tokenOf(user))).status).toBe(200);
});

test("V7.4.1 a revoked token is refused by every endpoint that accepts a session, and changes nothing", () => {
  // A revoked token is among the credentials of this loop.
  expectLooped(
    uselessCredentialsAreRefused,
    idsOf(({ access }) => access !== "anyone"),
  );
});

test("V7.4.1 a one-time code from before a logout opens no session after it", async () => {
  const { user, exchangeCode } = await signUpWithLinks(app);
  await logOut(user.token);
  expect((await exchange(exchangeCode)).body.code).toBe("INVALID_EXCHANGE_CODE");
});

test("V7.4.1 sessions that are ended and renewed at the same moment stay ended", async () => {
  const user = await app.signUp();
  const responses = await Promise.all([
    ...Array.from({ length: 10 }, () => renew(user.token)),
    logOut(user.token),
    ...Array.from({ length: 10 }, () => renew(user.token)),
  ]);
  const tokens = responses.flatMap(({ data }) => (data.token === undefined ? [] : [String(data.token)]));
  for (const token of tokens) expect((await me(token)).status).toBe(401);
});

test("V7.4.2 the sessions and keys of a removed account give no access", async () => {
  const user = await app.signUp();
  const key = await app.makeKey(user, ["admin"]);
  await app.pool.query("delete from api_keys where user_id = $1", [user.userId]);
  await app.pool.query("delete from users where id = $1", [user.userId]);
  expect((await me(user.token)).body.message).toBe("Invalid or expired token");
  expect((await me(key)).body.message).toBe("api_key_invalid");
});

test("V7.4.3 a changed password ends every other session and leaves keys alone", async () => {
  const user = await app.signUp();
  const key = await app.makeKey(user, ["estimations:read"]);
  const devices = await threeDevices(user);
  const { data } = await change(devices[1] ?? "", user.password, "a new fine password");
  await expectRevoked(devices);
  expect((await me(String(data.token))).status).toBe(200);
  expect((await app.request("GET", "/api/estimations", { token: key })).status).toBe(200);
});

test("V7.4.3 a reset password ends every session and leaves keys alone", async () => {
  const { user, resetToken } = await signUpWithLinks(app);
  const key = await app.makeKey(user, ["estimations:read"]);
  const devices = await threeDevices(user);
  expect((await reset(resetToken, "a new fine password")).status).toBe(200);
  await expectRevoked(devices);
  expect((await app.request("GET", "/api/estimations", { token: key })).status).toBe(200);
});

test("V7.4.3 a refused change or reset ends no session", async () => {
  const { user, resetToken } = await signUpWithLinks(app);
  expect((await change(user.token, "wrong password", "a new fine password")).status).toBe(401);
  expect((await change(user.token, user.password, "short")).status).toBe(400);
  expect((await reset(resetToken, "password123")).status).toBe(400);
  expect((await reset("made up", "a new fine password")).status).toBe(400);
  expect((await me(user.token)).status).toBe(200);
});

test("V7.5.1 a session cannot change the address of the account, by which it is recovered", async () => {
  const user = await app.signUp();
  const fields = [
    { email: "eve@evil.example" },
    { emailVerifiedAt: "2026-01-01T00:00:00.000Z" },
    { password: "a new fine password" },
    { passwordHash: null },
  ];
  const change = (body: object) => app.request("PATCH", contract.updateCurrentUser.path, { token: user.token, body });
  await changesNothing(app, async () => {
    for (const body of fields) expect((await change(body)).status).toBe(400);
  });
});
