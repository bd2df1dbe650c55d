import { describe, expect, test } from "vitest";
import { start, type TestApp } from "../harness.ts";

const LIMIT = 8;

/** An app that takes few requests a minute, with the user that the counting is tried on. */
async function limited(more: object = {}) {
  const app = await start({ config: { rateLimitPerMinute: LIMIT, ...more } });
  const user = await app.signUp();
  return { app, user };
}

const me = (app: TestApp, token?: string, headers: Record<string, string> = {}) =>
  app.request("GET", "/api/auth/me", { ...(token ? { token } : {}), headers });

const statuses = async (count: number, send: () => Promise<{ status: number }>) => {
  const seen: number[] = [];
  for (let n = 0; n < count; n += 1) seen.push((await send()).status);
  return seen;
};

describe("requests a minute", () => {
  test("pass up to the limit of a user, and one more is refused with the wait and the policy", async () => {
    const { app, user } = await limited();
    expect(await statuses(LIMIT, () => me(app, user.token))).toEqual(Array(LIMIT).fill(200));
    const refused = await me(app, user.token);
    expect([refused.status, refused.body.message]).toEqual([429, "rate_limited"]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get("ratelimit-policy")).toBe(`"default";q=${LIMIT};w=60`);
    expect(refused.headers.get("ratelimit")).toBe(`"default";r=0;t=${wait}`);
  });

  test("count down in every answer", async () => {
    const { app, user } = await limited();
    expect((await me(app, user.token)).headers.get("ratelimit")).toMatch(
      new RegExp(`^"default";r=${LIMIT - 1};t=\\d+$`),
    );
    expect((await me(app, user.token)).headers.get("ratelimit")).toMatch(
      new RegExp(`^"default";r=${LIMIT - 2};t=\\d+$`),
    );
  });

  test("are counted per user, per key and per address, each by itself", async () => {
    const { app, user } = await limited();
    const key = await app.makeKey(user, []);
    await statuses(LIMIT, () => me(app, user.token));
    expect((await me(app, user.token)).status).toBe(429);
    expect(await statuses(LIMIT, () => me(app, key))).toEqual(Array(LIMIT).fill(200));
    expect((await me(app, key)).status).toBe(429);
    // Signing up was the address's first request.
    expect(await statuses(LIMIT - 1, () => me(app))).toEqual(Array(LIMIT - 1).fill(401));
    expect((await me(app)).status).toBe(429);
  });

  test("a refused write writes nothing", async () => {
    const { app, user } = await limited();
    await statuses(LIMIT, () => me(app, user.token));
    const refused = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "x" } });
    expect(refused.status).toBe(429);
    expect((await app.pool.query("select 1 from estimations")).rows).toEqual([]);
  });

  test("made-up credentials and forwarded addresses do not reset the count of an address", async () => {
    const { app } = await limited();
    let n = 0;
    const guess = () => {
      n += 1;
      return me(app, `svc_live_${String(n).padStart(44, "A")}`, { "x-forwarded-for": `203.0.113.${n}` });
    };
    expect(await statuses(LIMIT - 1, guess)).toEqual(Array(LIMIT - 1).fill(401));
    expect((await guess()).status).toBe(429);
  });

  test("a trusted proxy names the address, and nobody in front of it does", async () => {
    const { app } = await limited({ trustProxy: ["127.0.0.0/8"] });
    const from = (forwarded: string) => me(app, undefined, { "x-forwarded-for": forwarded });
    expect(await statuses(LIMIT, () => from("198.51.100.7"))).toEqual(Array(LIMIT).fill(401));
    expect((await from("203.0.113.1, 198.51.100.7")).status).toBe(429);
    expect((await from("198.51.100.8")).status).toBe(401);
  });
});
