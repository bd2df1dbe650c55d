import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { request, start } from "../../../tests/harness.ts";
import { startService } from "../../app.ts";
import { monotonicMs } from "../../platform/clock.ts";

const LIMIT = 5;
const app = await start({ config: { rateLimitAuthPerMinute: LIMIT, trustProxy: ["127.0.0.1/32"] } });
const owner = await app.signUp();
const untrusting = await start({ config: { rateLimitAuthPerMinute: LIMIT } });
let address = "";
let addresses = 0;

/** Another client address for each test, so that their counters are apart. */
beforeEach(() => {
  addresses += 1;
  address = `198.51.100.${addresses}`;
});

const newEmail = () => `${randomBytes(6).toString("hex")}@example.com`;
const logIn = (email: string, password: string, from = address) =>
  app.request("POST", "/api/auth/login", { body: { email, password }, headers: { "x-forwarded-for": from } });
const statuses = async (tries: number, attempt: (at: number) => ReturnType<typeof logIn>) => {
  const all: number[] = [];
  for (let at = 0; at < tries; at += 1) all.push((await attempt(at)).status);
  return all;
};
const failing = (count: number) => Array<number>(count).fill(401);

describe("failed passwords of an account", () => {
  it("are refused beyond the limit, the right password included, until the minute is over", async () => {
    const user = await app.signUp();
    await app.clock.advance(500);
    expect(await statuses(LIMIT, (at) => logIn(user.email, `wrong ${at}`))).toEqual(failing(LIMIT));
    await app.clock.advance(20_500);
    const refused = await logIn(user.email, user.password, "203.0.113.1");
    expect([refused.status, refused.body.message]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(refused.headers.get("ratelimit")).toBe('"failed-passwords";r=0;t=40');
    expect(refused.headers.get("ratelimit-policy")).toBe(`"failed-passwords";q=${LIMIT};w=60`);
    await app.clock.advance(39_499);
    expect((await logIn(user.email, user.password)).status).toBe(429);
    await app.clock.advance(1);
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect(await statuses(LIMIT + 1, () => logIn(user.email, "wrong"))).toEqual([...failing(LIMIT), 429]);
  });

  it("are counted whatever the client's address, and in any spelling of the account's", async () => {
    const user = await app.signUp();
    const attempt = (at: number) =>
      logIn(at % 2 ? user.email : ` ${user.email.toUpperCase()}`, "wrong", `203.0.113.${at + 10}`);
    expect(await statuses(LIMIT + 1, attempt)).toEqual([...failing(LIMIT), 429]);
  });

  it("are counted for accounts that do not exist as well", async () => {
    const email = newEmail();
    expect(await statuses(LIMIT + 1, (at) => logIn(email, "wrong", `203.0.113.${at + 30}`))).toEqual([
      ...failing(LIMIT),
      429,
    ]);
  });

  it("leave other accounts alone", async () => {
    const user = await app.signUp();
    await statuses(LIMIT + 1, (at) => logIn(user.email, "wrong", `203.0.113.${at + 50}`));
    expect((await logIn(owner.email, owner.password)).status).toBe(200);
  });

  it("include wrong current passwords of change-password, which is refused alike", async () => {
    const user = await app.signUp();
    const change = (currentPassword: string) =>
      app.request("POST", "/api/auth/change-password", {
        token: user.token,
        body: { currentPassword, newPassword: "another password" },
        headers: { "x-forwarded-for": address },
      });
    await statuses(LIMIT - 1, () => logIn(user.email, "wrong", "203.0.113.70"));
    const wrong = await change("wrong");
    expect([wrong.status, wrong.body.message]).toEqual([401, "invalid_credentials"]);
    expect((await change(user.password)).status).toBe(429);
    expect((await logIn(user.email, user.password, "203.0.113.71")).status).toBe(429);
    await app.clock.advance(60_000);
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect((await app.request("GET", "/api/auth/me", { token: user.token })).status).toBe(200);
  });
});

describe("failed passwords from a client address", () => {
  it("are refused beyond the limit, for other accounts too; other addresses are not", async () => {
    expect(await statuses(LIMIT, () => logIn(newEmail(), "wrong"))).toEqual(failing(LIMIT));
    expect((await logIn(owner.email, owner.password)).status).toBe(429);
    expect((await logIn(owner.email, owner.password, "203.0.113.99")).status).toBe(200);
  });

  it("are counted for a whole IPv6 network of 64 bits", async () => {
    const attempt = (at: number) => logIn(newEmail(), "wrong", `2001:db8:0:7::${at + 1}`);
    expect(await statuses(LIMIT + 1, attempt)).toEqual([...failing(LIMIT), 429]);
    expect((await logIn(owner.email, owner.password, "2001:db8:0:8::1")).status).toBe(200);
  });

  it("do not count a header that an untrusted client makes up", async () => {
    const attempt = (at: number) =>
      untrusting.request("POST", "/api/auth/login", {
        body: { email: newEmail(), password: "wrong" },
        headers: { "x-forwarded-for": `203.0.113.${at}` },
      });
    expect(await statuses(LIMIT + 1, attempt)).toEqual([...failing(LIMIT), 429]);
  });
});

describe("successes", () => {
  it("are not counted", async () => {
    const user = await app.signUp();
    expect(await statuses(LIMIT + 2, () => logIn(user.email, user.password))).toEqual(Array(LIMIT + 2).fill(200));
    const parallel = await Promise.all(Array.from({ length: LIMIT + 5 }, () => logIn(user.email, user.password)));
    expect(new Set(parallel.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await statuses(LIMIT, () => logIn(user.email, "wrong"))).toEqual(failing(LIMIT));
  });

  it("do not start a counter anew", async () => {
    const user = await app.signUp();
    await statuses(LIMIT - 1, () => logIn(user.email, "wrong"));
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect((await logIn(user.email, "wrong")).status).toBe(401);
    expect((await logIn(user.email, user.password)).status).toBe(429);
    expect((await logIn(owner.email, owner.password)).status).toBe(429);
  });
});

describe("the limit", () => {
  it("holds for a hundred wrong passwords at the same time", async () => {
    const user = await app.signUp();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => logIn(user.email, `wrong ${at}`)));
    const refused = answers.filter(({ status }) => status === 429).length;
    expect([answers.filter(({ status }) => status === 401).length, refused]).toEqual([LIMIT, 100 - LIMIT]);
    const { rows } = await app.pool.query("select max(failures)::int as most from failed_passwords");
    expect(rows[0].most).toBe(LIMIT);
  });

  it("holds across processes and restarts", async () => {
    const user = await app.signUp();
    await statuses(LIMIT - 1, () => logIn(user.email, "wrong"));
    const other = await startService({
      config: { ...app.services.config, sessionSecret: app.services.sessionSecret, encryptionKey: randomBytes(32) },
      connection: app.connection,
      log: pino({ level: "silent" }),
      only: "api",
      clock: app.clock,
    });
    const there = async (password: string) => {
      const answer = await request(other.url, "POST", "/api/auth/login", { body: { email: user.email, password } });
      return answer.status;
    };
    try {
      expect(await there("wrong")).toBe(401);
      expect(await there(user.password)).toBe(429);
    } finally {
      await other.stop();
    }
    expect((await logIn(user.email, user.password)).status).toBe(429);
  });

  it("costs who is beyond it no hash", async () => {
    const median = async (attempt: () => Promise<unknown>) => {
      const spent: number[] = [];
      for (let at = 0; at < LIMIT; at += 1) {
        const begin = monotonicMs();
        await attempt();
        spent.push(monotonicMs() - begin);
      }
      return spent.sort((a, b) => a - b)[LIMIT >> 1] ?? 0;
    };
    const email = newEmail();
    const hashed = await median(() => logIn(email, "wrong"));
    const refused = await median(() => logIn(email, "wrong"));
    expect(refused).toBeLessThan(hashed / 2);
  });
});

describe("what is stored of failures", () => {
  it("names neither accounts nor addresses, and does not outlive the next failures", async () => {
    await statuses(4, () => logIn("someone@example.com", "wrong"));
    const { rows } = await app.pool.query("select counter from failed_passwords");
    expect(rows.length).toBeGreaterThan(20);
    for (const { counter } of rows) expect(counter).toHaveLength(32);
    await app.clock.advance(60_000);
    await statuses(LIMIT, (at) => logIn(newEmail(), "wrong", `203.0.113.${at + 150}`));
    await app.clock.advance(60_000);
    await statuses(LIMIT, () => logIn(newEmail(), "wrong"));
    const left = await app.pool.query("select count(*)::int as counters from failed_passwords");
    expect(left.rows[0].counters).toBeLessThan(rows.length);
  });
});
