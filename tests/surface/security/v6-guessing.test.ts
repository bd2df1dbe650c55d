import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, test } from "vitest";
import { startService } from "../../../server/app.ts";
import { request, start } from "../../harness.ts";
import { effortOf } from "../../support/effort.ts";
import { accountCalls, newEmail } from "./account.ts";

const LIMIT = 3;
const app = await start({ config: { rateLimitAuthPerMinute: LIMIT, trustProxy: ["127.0.0.1/32"] } });
const { me, logIn, askForReset } = accountCalls(app);
const free = await start({ config: { rateLimitAuthPerMinute: 1_000_000 } });

const from = (ip: string) => ({ "x-forwarded-for": ip });
/** Returns another address each time. */
const anywhere = () => from(`10.${[...randomBytes(3)].join(".")}`);
const guess = (email: string, headers = anywhere()) => logIn(email, "not the password", headers);
/** Guesses until refused; returns how many passwords were checked, and how many seconds the refusal says to wait. */
async function guessAll(email: string): Promise<{ judged: number; waitSeconds: number }> {
  for (let judged = 0; judged < 50; judged += 1) {
    const { status, headers } = await guess(email);
    if (status === 429) return { judged, waitSeconds: Number(headers.get("retry-after")) };
    expect(status).toBe(401);
  }
  throw new Error("fifty guesses were judged");
}

test("V6.3.1 guesses at one account are limited, from however many addresses they come", async () => {
  const user = await app.signUp();
  expect(await guessAll(user.email)).toEqual({ judged: LIMIT, waitSeconds: 60 });
  const refused = await logIn(user.email, user.password, anywhere());
  expect([refused.status, refused.body.message, refused.body.data]).toEqual([429, "rate_limited", undefined]);
});

test("V6.3.1 guesses from one address are limited, however many accounts they try", async () => {
  const headers = from("198.51.100.20");
  const statuses: number[] = [];
  for (let at = 0; at <= LIMIT; at += 1) statuses.push((await guess(newEmail(), headers)).status);
  expect(statuses).toEqual([...Array(LIMIT).fill(401), 429]);
  const user = await app.signUp();
  expect((await logIn(user.email, user.password, headers)).status).toBe(429);
});

test("V6.3.1 a hundred simultaneous guesses get no further than a hundred in sequence", async () => {
  const { email } = await app.signUp();
  const responses = await Promise.all(Array.from({ length: 100 }, () => guess(email)));
  const judged = responses.filter(({ status }) => status !== 429);
  expect(judged.map(({ status }) => status)).toEqual(Array(LIMIT).fill(401));
});

test("V6.3.1 the wait grows with every further failure and ends within an hour: nobody is locked out permanently", async () => {
  const { email, password } = await app.signUp();
  const waits: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { judged, waitSeconds } = await guessAll(email);
    expect(judged).toBe(LIMIT);
    waits.push(waitSeconds);
    await app.clock.advance(waitSeconds * 1000);
  }
  expect(waits).toEqual([60, 840, 60, 2640]);
  expect((await logIn(email, password, anywhere())).status).toBe(200);
});

test("V6.3.1 the owner can sign in from a known address while strangers are blocked", async () => {
  const user = await app.signUp();
  await guessAll(user.email);
  expect((await logIn(user.email, user.password, anywhere())).status).toBe(429);
  expect((await logIn(user.email, user.password)).status).toBe(200);
  expect((await guess(user.email)).status).toBe(429);
});

test("V6.3.1 counts are shared by all processes and survive a restart", async () => {
  const user = await app.signUp();
  await guessAll(user.email);
  const second = await startService({
    config: app.services.config,
    connection: app.connection,
    log: pino({ level: "silent" }),
    only: "api",
    clock: app.clock,
  });
  try {
    const body = { email: user.email, password: user.password };
    expect((await request(second.url, "POST", "/api/auth/login", { body, headers: anywhere() })).status).toBe(429);
  } finally {
    await second.stop();
  }
});

test("V6.3.1 an invented address in a header does not start a new count", async () => {
  const direct = await start({ config: { rateLimitAuthPerMinute: LIMIT } });
  const names = ["x-forwarded-for", "forwarded", "x-real-ip", "true-client-ip", "cf-connecting-ip", "client-ip"];
  const statuses: number[] = [];
  for (let at = 0; at <= LIMIT + names.length; at += 1) {
    const ip = `203.0.113.${at}`;
    const headers = Object.fromEntries(names.map((name) => [name, name === "forwarded" ? `for=${ip}` : ip]));
    const body = { email: newEmail(), password: "not the password" };
    statuses.push((await direct.request("POST", "/api/auth/login", { body, headers })).status);
  }
  expect(statuses).toEqual([...Array(LIMIT).fill(401), ...Array(names.length + 1).fill(429)]);
});

test("V6.3.1 behind a proxy only the address that the proxy itself saw counts", async () => {
  const statuses: number[] = [];
  for (let at = 0; at <= LIMIT; at += 1)
    statuses.push((await guess(newEmail(), from(`192.0.2.${at}, 203.0.113.7, 198.51.100.77`))).status);
  expect(statuses).toEqual([...Array(LIMIT).fill(401), 429]);
});

test("V6.6.3 mails are limited per account and per address, whether or not there is an account", async () => {
  for (const email of [(await app.signUp()).email, newEmail()]) {
    const statuses: number[] = [];
    for (let at = 0; at <= LIMIT; at += 1) statuses.push((await askForReset(email, anywhere())).status);
    expect(statuses).toEqual([...Array(LIMIT).fill(202), 429]);
  }
  const headers = from("198.51.100.90");
  const statuses: number[] = [];
  for (let at = 0; at <= LIMIT; at += 1) statuses.push((await askForReset(newEmail(), headers)).status);
  expect(statuses).toEqual([...Array(LIMIT).fill(202), 429]);
});

test("V6.6.3 registering sends a limited number of mails; beyond it registering still works, and other users can still request mails", async () => {
  const headers = from("198.51.100.91");
  const tokens: string[] = [];
  for (let at = 0; at < 10 * LIMIT + 2; at += 1) {
    const body = { email: newEmail(), password: "correct horse battery" };
    const { status, data } = await app.request("POST", "/api/auth/register", { body, headers });
    expect(status).toBe(201);
    tokens.push(String(data.token));
  }
  const { rows } = await app.pool.query(
    "select count(*)::int as mails from job_leases j join users u on u.id = j.payload->'facts'->>'userId' where u.email = any($1)",
    [await Promise.all(tokens.map(async (token) => (await me(token)).data.user?.email))],
  );
  expect(rows).toEqual([{ mails: 10 * LIMIT }]);
  for (const [at, token] of tokens.reverse().entries()) {
    const again = await app.request("POST", "/api/auth/verify-email/resend", { token, headers });
    expect(again.status).toBe(at < LIMIT ? 202 : 429);
  }
});

test("V6.3.8 a wrong password, an unknown account and one without a password are refused with the same response", async () => {
  const calls = accountCalls(free);
  const user = await free.signUp();
  const withoutPassword = await free.signUp();
  await free.pool.query("update users set password_hash = null where id = $1", [withoutPassword.userId]);
  const shapes = [];
  for (const email of [user.email, newEmail(), withoutPassword.email]) {
    const { status, body, headers } = await calls.logIn(email, "not the password");
    shapes.push({ status, body: { ...body, requestId: "" }, headers: [...headers.keys()] });
  }
  expect(shapes[0]).toMatchObject({ status: 401, body: { message: "invalid_credentials" } });
  expect(shapes.slice(1)).toEqual([shapes[0], shapes[0]]);
});

test("V6.3.8 requesting a reset has the same response with and without an account", async () => {
  const calls = accountCalls(free);
  const shapes = [];
  for (const email of [(await free.signUp()).email, newEmail()]) {
    const { status, body, headers } = await calls.askForReset(email);
    shapes.push({ status, body, headers: [...headers.keys()] });
  }
  expect(shapes[0]).toMatchObject({ status: 202, body: { success: true, data: {} } });
  expect(shapes[1]).toEqual(shapes[0]);
});

test("V6.3.8 an unknown account takes the time of a hash, as a known one does", async () => {
  const calls = accountCalls(free);
  const { email } = await free.signUp();
  const spent = (address: string) => effortOf(free.connection.database, () => calls.logIn(address, "not the password"));
  const known = await spent(email);
  expect(known.hashes).toBe(1);
  expect(await spent(newEmail())).toEqual(known);
});
