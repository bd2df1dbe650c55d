import { expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";

const LIMIT = 5;
const DAY_MS = 86_400_000;
const app = await start({ config: { rateLimitAuthPerMinute: LIMIT, trustProxy: ["127.0.0.1/32"] } });

let addresses = 0;
/** Somebody who comes from another address each time. */
const logIn = (email: string, password: string) => {
  addresses += 1;
  const body = { email, password };
  return app.request("POST", "/api/auth/login", { body, headers: { "x-forwarded-for": `198.51.100.${addresses}` } });
};
const fail = async (email: string, times: number) => {
  for (let count = 0; count < times; count += 1) expect((await logIn(email, "wrong")).status).toBe(401);
};
const waitOf = async (email: string, password = "wrong") => {
  const { status, headers } = await logIn(email, password);
  expect(status).toBe(429);
  return Number(headers.get("retry-after"));
};

it("a clock that was ahead and is set back makes no wait longer than its window", async () => {
  const user = await app.signUp();
  await app.clock.advance(3 * DAY_MS);
  await fail(user.email, LIMIT);
  expect(await waitOf(user.email)).toBe(60);
  await app.clock.advance(-3 * DAY_MS);
  // What was counted still counts, for as long as it would have.
  expect(await waitOf(user.email)).toBe(60);
  await app.clock.advance(59_999);
  expect(await waitOf(user.email, user.password)).toBe(1);
  await app.clock.advance(1);
  expect((await logIn(user.email, user.password)).status).toBe(200);
});

it("does so also if the limit was not used up while the clock was ahead", async () => {
  const user = await app.signUp();
  await app.clock.advance(3 * DAY_MS);
  await fail(user.email, LIMIT - 1);
  await app.clock.advance(-3 * DAY_MS);
  await fail(user.email, 1);
  expect(await waitOf(user.email)).toBe(60);
  await app.clock.advance(60_000);
  expect((await logIn(user.email, user.password)).status).toBe(200);
});

it("does so also for mails, which are counted without another look at the limit", async () => {
  const { email } = await app.signUp();
  const headers = { "x-forwarded-for": "203.0.113.77" };
  const ask = () => app.request("POST", "/api/auth/forgot-password", { body: { email }, headers });
  await app.clock.advance(3 * DAY_MS);
  for (let count = 0; count < LIMIT; count += 1) expect((await ask()).status).toBe(202);
  await app.clock.advance(-3 * DAY_MS);
  const { status, headers: answered } = await ask();
  expect([status, answered.get("retry-after")]).toEqual([429, "60"]);
});

it("the right password is no failure, also where the clock is set back while it is judged", async () => {
  const user = await app.signUp();
  const failures = async () =>
    (
      await app.pool.query("select coalesce(max(tries), 0)::int as most from try_counts where resets_at > $1", [
        app.clock.now(),
      ])
    ).rows[0].most;
  await fail(user.email, 1);
  const before = await failures();
  const judged = logIn(user.email, user.password);
  await app.clock.advance(-1_000);
  expect((await judged).status).toBe(200);
  expect(await failures()).toBe(before);
});
