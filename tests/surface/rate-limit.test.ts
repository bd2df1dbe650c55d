import { describe, expect, test } from "vitest";
import { makePlaintext } from "../../server/features/api-keys/plaintext.ts";
import { COMPUTED_UNIT_MS, REQUEST_UNIT_BYTES, REQUEST_UNIT_MS } from "../../server/http/callers/rate-limit.ts";
import { start, type TestApp, until } from "../harness.ts";
import { effortOf } from "../support/effort.ts";

const LIMIT = 8;

const few = await start({ config: { rateLimitPerMinute: LIMIT } });

/** Returns an app that allows few requests a minute and has counted none recently, and a new user of it. */
async function limited(more?: object) {
  const app = more ? await start({ config: { rateLimitPerMinute: LIMIT, ...more } }) : few;
  // Units used beyond those of a minute are taken from the next one.
  await app.clock.advance(5 * 60_000);
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

describe("requests per minute", () => {
  test("are accepted up to the limit of a user, and one more is refused with the wait and the policy (V2.4.1)", async () => {
    const { app, user } = await limited();
    expect(await statuses(LIMIT, () => me(app, user.token))).toEqual(Array(LIMIT).fill(200));
    const refused = await me(app, user.token);
    expect([refused.status, refused.body.message]).toEqual([429, "rate_limited"]);
    const until = new Date(app.clock.now().getTime() + Number(refused.headers.get("retry-after")) * 1_000);
    expect(refused.body.details).toEqual({ policy: "default", until: until.toISOString() });
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get("ratelimit-policy")).toBe(`"default";q=${LIMIT};w=60`);
    expect(refused.headers.get("ratelimit")).toBe(`"default";r=0;t=${wait}`);
  });

  test("are counted down in every response", async () => {
    const { app, user } = await limited();
    expect((await me(app, user.token)).headers.get("ratelimit")).toMatch(
      new RegExp(`^"default";r=${LIMIT - 1};t=\\d+$`),
    );
    expect((await me(app, user.token)).headers.get("ratelimit")).toMatch(
      new RegExp(`^"default";r=${LIMIT - 2};t=\\d+$`),
    );
  });

  test("of a user are counted together whatever the credential, and anonymous ones per address (V2.4.1, V8.4.1)", async () => {
    const { app, user } = await limited();
    const [key, other] = [await app.makeKey(user, []), await app.makeKey(user, [])];
    const stranger = await app.signUp();
    // Making the keys took two.
    const left = LIMIT - 2;
    const credentials = [user.token, key, other];
    let at = 0;
    expect(await statuses(left, () => me(app, credentials[at++ % 3]))).toEqual(Array(left).fill(200));
    for (const credential of credentials) expect((await me(app, credential)).status).toBe(429);
    expect((await me(app, stranger.token)).status).toBe(200);
    // Signing up was the address's first and second request.
    expect(await statuses(LIMIT - 2, () => me(app))).toEqual(Array(LIMIT - 2).fill(401));
    expect((await me(app)).status).toBe(429);
    expect((await me(app, stranger.token)).status).toBe(200);
  });

  test("are accepted again once the minute is over", async () => {
    const { app, user } = await limited();
    await statuses(LIMIT, () => me(app, user.token));
    await app.clock.advance(59_999);
    expect((await me(app, user.token)).headers.get("retry-after")).toBe("1");
    await app.clock.advance(1);
    expect(await statuses(LIMIT, () => me(app, user.token))).toEqual(Array(LIMIT).fill(200));
  });

  test("make no query if they are refused, whatever the credential", async () => {
    const { app, user } = await limited();
    const key = await app.makeKey(user, []);
    await me(app, key);
    await statuses(LIMIT, () => me(app, user.token));
    const unknown = makePlaintext();
    await statuses(LIMIT, () => me(app));
    const { statements } = await effortOf(app.connection.database, async () => {
      for (const credential of [user.token, key, unknown, "none", undefined]) {
        expect((await me(app, credential)).status).toBe(429);
      }
    });
    expect(statements).toEqual([]);
  });

  test.each([
    ["GET", "/api/nothing", 404],
    ["PATCH", "/api/estimations", 405],
    ["GET", "/api/openapi.json", 200],
    ["GET", "/docs", 200],
  ])("%s %s counts for the address", async (method, path, status) => {
    const { app } = await limited();
    const send = () => app.request(method, path);
    const seen = await statuses(LIMIT, send);
    // A large response costs more than one.
    expect([seen[0], seen.at(-1)]).toEqual([status, 429]);
  });

  test("with a revoked credential count for the address, and not for its user", async () => {
    const { app, user } = await limited();
    const key = await app.makeKey(user, []);
    const { data } = await app.request("GET", "/api/api-keys", { token: user.token });
    expect((await me(app, key)).status).toBe(200);
    await app.request("DELETE", `/api/api-keys/${data.apiKeys?.[0]?.id}`, { token: user.token });
    // At once, although the process remembers whose key it was.
    expect(await statuses(LIMIT - 1, () => me(app, key))).toEqual(Array(LIMIT - 1).fill(401));
    expect((await me(app, key)).status).toBe(429);
    expect(await statuses(LIMIT - 4, () => me(app, user.token))).toEqual(Array(LIMIT - 4).fill(200));
    expect((await me(app, user.token)).status).toBe(429);
  });

  test("a refused write writes nothing (V2.4.1)", async () => {
    const { app, user } = await limited();
    await statuses(LIMIT, () => me(app, user.token));
    const refused = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "x" } });
    expect(refused.status).toBe(429);
  });

  test("invented credentials and forwarded addresses do not reset the count of an address (V4.1.3)", async () => {
    const { app } = await limited();
    let n = 0;
    const guess = () => {
      n += 1;
      return me(app, `svc_live_${String(n).padStart(44, "A")}`, { "x-forwarded-for": `203.0.113.${n}` });
    };
    expect(await statuses(LIMIT - 1, guess)).toEqual(Array(LIMIT - 1).fill(401));
    expect((await guess()).status).toBe(429);
  });

  test("only a trusted proxy sets the address, not a client in front of it (V4.1.3, V6.3.1)", async () => {
    const { app } = await limited({ trustProxy: ["127.0.0.0/8"] });
    const from = (forwarded: string) => me(app, undefined, { "x-forwarded-for": forwarded });
    expect(await statuses(LIMIT, () => from("198.51.100.7"))).toEqual(Array(LIMIT).fill(401));
    expect((await from("203.0.113.1, 198.51.100.7")).status).toBe(429);
    expect((await from("198.51.100.8")).status).toBe(401);
  });
});

describe("the cost of a request", () => {
  const remaining = (response: { headers: Headers }) =>
    Number(/r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);

  test("grows with the bytes of its body and its response", async () => {
    const app = await start({ config: { rateLimitPerMinute: 1_000 } });
    const { token } = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const path = `/api/estimations/${data.estimation?.id}`;
    const before = remaining(await me(app, token));
    /** Units that a request took, besides those of its own and of the next one; and the most that its computing can have cost. */
    const unitsOf = async (left: number, work: () => Promise<unknown>) => {
      const begin = performance.now();
      await work();
      const most = Math.floor((performance.now() - begin) / COMPUTED_UNIT_MS);
      return { units: left - remaining(await me(app, token)) - 2, most };
    };
    const large = await unitsOf(before, () =>
      app.request("PUT", `${path}/tree`, { token, body: `{"nodes":[]}${" ".repeat(5 * REQUEST_UNIT_BYTES)}` }),
    );
    expect(large.units).toBeGreaterThanOrEqual(5);
    expect(large.units).toBeLessThanOrEqual(5 + large.most);
    const options = Array.from({ length: 100 }, () => ({ title: "x", description: "y".repeat(8_000) }));
    await app.request("PUT", `${path}/tree`, { token, body: { nodes: [{ title: "n", kind: "group", options }] } });
    let length = 0;
    const got = await unitsOf(remaining(await me(app, token)), async () => {
      ({ length } = (await app.request("GET", `${path}/tree`, { token })).text);
    });
    const units = Math.floor(length / REQUEST_UNIT_BYTES);
    expect(units).toBeGreaterThan(3);
    expect(got.units).toBeGreaterThanOrEqual(units);
    expect(got.units).toBeLessThanOrEqual(units + got.most);
  });

  test("grows with the time of reading a large body", async () => {
    const app = await start({ config: { rateLimitPerMinute: 1_000 } });
    const { token } = await app.signUp();
    const before = remaining(await me(app, token));
    const body = `{"format":"json","content":"${"\\u0041".repeat(2_000_000)}`;
    // It ends too early: nothing but reading it costs time.
    expect((await app.request("POST", "/api/estimations/import", { token, body })).status).toBe(400);
    const ofBytes = Math.floor(body.length / REQUEST_UNIT_BYTES);
    expect(before - remaining(await me(app, token)) - 2).toBeGreaterThan(ofBytes);
  });

  test("grows with the time that it takes, but not with the time of waiting for others", async () => {
    const app = await start({ config: { rateLimitPerMinute: 1_000 } });
    const { token } = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const path = `/api/estimations/${data.estimation?.id}`;
    const before = remaining(await me(app, token));
    const holder = await app.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from estimations for update");
    const writes = [1, 2].map(() => app.request("PUT", path, { token, body: { title: "y" } }));
    await until(async () => (await app.pool.query(WAITING)).rowCount === 1);
    await app.clock.advance(10 * REQUEST_UNIT_MS);
    await holder.query("commit");
    holder.release();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([200, 200]);
    expect(remaining(await me(app, token))).toBe(before - 2 - 10 - 1);
  });

  const WAITING =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'";
});
