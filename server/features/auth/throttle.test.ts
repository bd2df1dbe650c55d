import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { request, start, until } from "../../../tests/harness.ts";
import { effortOf } from "../../../tests/support/effort.ts";
import { startService } from "../../app.ts";
import { retentionJobs } from "../../worker.ts";

const LIMIT = 5;
const WAITING =
  "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'";
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

/** Another client address each time. */
const elsewhere = () => `10.${[...randomBytes(3)].join(".")}`;
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
  it("are refused beyond the limit, the right password included, until the minute is over (V6.3.1)", async () => {
    const user = await app.signUp();
    await app.clock.advance(500);
    expect(await statuses(LIMIT, (at) => logIn(user.email, `wrong ${at}`))).toEqual(failing(LIMIT));
    await app.clock.advance(20_500);
    const refused = await logIn(user.email, user.password, "203.0.113.1");
    expect([refused.status, refused.body.message]).toEqual([429, "rate_limited"]);
    const until = new Date(app.clock.now().getTime() + 40_000).toISOString();
    expect(refused.body.details).toEqual({ policy: "failed-passwords", until });
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(refused.headers.get("ratelimit")).toBe('"failed-passwords";r=0;t=40');
    expect(refused.headers.get("ratelimit-policy")).toBe(`"failed-passwords";q=${LIMIT};w=60`);
    await app.clock.advance(39_499);
    expect((await logIn(user.email, user.password)).status).toBe(429);
    await app.clock.advance(1);
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect(await statuses(LIMIT + 1, () => logIn(user.email, "wrong"))).toEqual([...failing(LIMIT), 429]);
  });

  it("are counted for any client address, and for any spelling of the account's address (V6.3.1)", async () => {
    const user = await app.signUp();
    const attempt = (at: number) =>
      logIn(at % 2 ? user.email : ` ${user.email.toUpperCase()}`, "wrong", `203.0.113.${at + 10}`);
    expect(await statuses(LIMIT + 1, attempt)).toEqual([...failing(LIMIT), 429]);
  });

  it("are counted for accounts that do not exist, too", async () => {
    const email = newEmail();
    expect(await statuses(LIMIT + 1, (at) => logIn(email, "wrong", `203.0.113.${at + 30}`))).toEqual([
      ...failing(LIMIT),
      429,
    ]);
  });

  it("do not affect other accounts", async () => {
    const user = await app.signUp();
    await statuses(LIMIT + 1, (at) => logIn(user.email, "wrong", `203.0.113.${at + 50}`));
    expect((await logIn(owner.email, owner.password)).status).toBe(200);
  });

  it("include wrong current passwords in changes of a password, which are refused in the same way (V6.3.4)", async () => {
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
  it("are refused beyond the limit, for other accounts too; other addresses are not (V6.3.1)", async () => {
    expect(await statuses(LIMIT, () => logIn(newEmail(), "wrong"))).toEqual(failing(LIMIT));
    expect((await logIn(owner.email, owner.password)).status).toBe(429);
    expect((await logIn(owner.email, owner.password, "203.0.113.99")).status).toBe(200);
  });

  it("are counted for a whole IPv6 network of 64 bits", async () => {
    const attempt = (at: number) => logIn(newEmail(), "wrong", `2001:db8:0:7::${at + 1}`);
    expect(await statuses(LIMIT + 1, attempt)).toEqual([...failing(LIMIT), 429]);
    expect((await logIn(owner.email, owner.password, "2001:db8:0:8::1")).status).toBe(200);
  });

  it("are counted for the connection's address, not for a header of an untrusted client (V6.3.1)", async () => {
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

  it("are not counted while they wait for the database", async () => {
    const tight = await start({ config: { rateLimitAuthPerMinute: 2 } });
    const user = await tight.signUp();
    const holder = await tight.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("lock table known_sign_ins in exclusive mode");
      const { email, password } = user;
      const responses = [1, 2, 3].map(() => tight.request("POST", "/api/auth/login", { body: { email, password } }));
      const first = Promise.race(responses).then(({ status }) => status);
      const allWait = until(async () => (await tight.pool.query(WAITING)).rowCount === responses.length);
      expect(await Promise.race([first, allWait])).toBe(true);
      await holder.query("rollback");
      expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200]);
    } finally {
      holder.release(true);
    }
  });

  it("do not reset a counter", async () => {
    const user = await app.signUp();
    await statuses(LIMIT - 1, () => logIn(user.email, "wrong"));
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect((await logIn(user.email, "wrong")).status).toBe(401);
    expect((await logIn(user.email, user.password)).status).toBe(429);
    expect((await logIn(owner.email, owner.password)).status).toBe(429);
  });
});

describe("the limit", () => {
  it("holds for a hundred simultaneous wrong passwords (V6.3.1)", async () => {
    const user = await app.signUp();
    const responses = await Promise.all(Array.from({ length: 100 }, (_, at) => logIn(user.email, `wrong ${at}`)));
    const refused = responses.filter(({ status }) => status === 429).length;
    expect([responses.filter(({ status }) => status === 401).length, refused]).toEqual([LIMIT, 100 - LIMIT]);
    expect((await logIn(user.email, user.password)).status).toBe(429);
    await app.clock.advance(60_000);
    // Those that were refused count nowhere: the next minute is a whole one.
    expect(await statuses(LIMIT + 1, () => logIn(user.email, "wrong"))).toEqual([...failing(LIMIT), 429]);
  });

  it("holds across processes and restarts (V6.3.1)", async () => {
    const user = await app.signUp();
    await statuses(LIMIT - 1, () => logIn(user.email, "wrong"));
    const other = await startService({
      config: app.services.config,
      connection: app.connection,
      log: pino({ level: "silent" }),
      only: "api",
      clock: app.clock,
    });
    const there = async (password: string) => {
      const response = await request(other.url, "POST", "/api/auth/login", {
        body: { email: user.email, password },
        headers: { "x-forwarded-for": address },
      });
      return response.status;
    };
    try {
      expect(await there("wrong")).toBe(401);
      expect(await there(user.password)).toBe(429);
    } finally {
      await other.stop();
    }
    expect((await logIn(user.email, user.password)).status).toBe(429);
  });

  it("means that no password is hashed for a caller beyond it", async () => {
    const email = newEmail();
    const spent = () =>
      effortOf(app.connection.database, async () =>
        expect(await statuses(1, () => logIn(email, "wrong"))).toHaveLength(1),
      );
    for (let at = 0; at < LIMIT; at += 1) expect((await spent()).hashes).toBe(1);
    expect((await spent()).hashes).toBe(0);
  });
});

describe("the wait", () => {
  /** Uses the limit up and returns what the refusal after that says: seconds to wait, and which limit holds. */
  const exhaust = async (attempt: () => ReturnType<typeof logIn>) => {
    expect(await statuses(LIMIT, attempt)).toEqual(failing(LIMIT));
    const { status, headers } = await attempt();
    expect(status).toBe(429);
    return [Number(headers.get("retry-after")), headers.get("ratelimit-policy")];
  };

  it.each([
    ["an account", async () => (await app.signUp()).email, elsewhere],
    ["a client address", async () => null, () => address],
  ])("of %s grows each time the limit is used up, to at most an hour (V6.3.1)", async (_, account, from) => {
    const email = await account();
    const attempt = () => logIn(email ?? newEmail(), "wrong", from());
    const policy = (times: number, seconds: number) => `"failed-passwords";q=${LIMIT * times};w=${seconds}`;
    expect(await exhaust(attempt)).toEqual([60, policy(1, 60)]);
    await app.clock.advance(60_000);
    expect(await exhaust(attempt)).toEqual([840, policy(2, 900)]);
    await app.clock.advance(839_999);
    expect((await attempt()).status).toBe(429);
    await app.clock.advance(1);
    expect(await exhaust(attempt)).toEqual([60, policy(1, 60)]);
    await app.clock.advance(60_000);
    expect(await exhaust(attempt)).toEqual([2_640, policy(4, 3_600)]);
    await app.clock.advance(2_640_000 - 1);
    expect((await attempt()).status).toBe(429);
    await app.clock.advance(1);
    expect(await exhaust(attempt)).toEqual([60, policy(1, 60)]);
  });
});

describe("the owner", () => {
  const attack = async (email: string) => {
    for (let round = 0; round < 4; round += 1) {
      await statuses(LIMIT, (at) => logIn(email, "wrong", `192.0.2.${round * 20 + at}`));
      await app.clock.advance(round % 2 ? 900_000 : 60_000);
    }
    expect((await logIn(email, "wrong", "192.0.2.200")).status).toBe(429);
  };

  it("can sign in from an address used before, however often others fail from elsewhere (V6.3.1)", async () => {
    const user = await app.signUp();
    expect((await logIn(user.email, user.password)).status).toBe(200);
    await attack(user.email);
    expect((await logIn(user.email, user.password, "203.0.113.200")).status).toBe(429);
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect((await logIn(user.email, "mistyped")).status).toBe(401);
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  it("can sign in from the address where the account was created, and from the same network if others have blocked that address", async () => {
    const { status } = await app.request("POST", "/api/auth/register", {
      body: { email: "office@example.com", password: "correct horse battery" },
      headers: { "x-forwarded-for": address },
    });
    expect(status).toBe(201);
    await statuses(LIMIT + 1, () => logIn(newEmail(), "wrong"));
    expect((await logIn(owner.email, owner.password)).status).toBe(429);
    expect((await logIn("office@example.com", "correct horse battery")).status).toBe(200);
  });

  it("has a limit there as well: a known address has no unlimited tries", async () => {
    const user = await app.signUp();
    expect((await logIn(user.email, user.password)).status).toBe(200);
    expect(await statuses(LIMIT + 1, () => logIn(user.email, "wrong"))).toEqual([...failing(LIMIT), 429]);
    expect((await logIn(user.email, user.password)).status).toBe(429);
  });

  it("no longer has a known address if the last sign-in was 90 days ago", async () => {
    const user = await app.signUp();
    const from = `198.51.100.${addresses + 100}`;
    expect((await logIn(user.email, user.password, from)).status).toBe(200);
    await app.clock.advance(90 * 86_400_000);
    await statuses(LIMIT, (at) => logIn(user.email, "wrong", `192.0.2.${at}`));
    // On the last day it is still known, and the sign-in makes it known anew.
    expect((await logIn(user.email, user.password, from)).status).toBe(200);
    await app.clock.advance(90 * 86_400_000 + 1);
    await statuses(LIMIT, (at) => logIn(user.email, "wrong", `192.0.2.${at}`));
    expect((await logIn(user.email, user.password, from)).status).toBe(429);
  });
});

describe("requesting mails", () => {
  const ask = (email: string, from = address) =>
    app.request("POST", "/api/auth/forgot-password", { body: { email }, headers: { "x-forwarded-for": from } });

  it("is limited per account, known or not, and per client address, apart from failed passwords (V6.6.3)", async () => {
    const user = await app.signUp();
    const accepted = Array<number>(LIMIT).fill(202);
    for (const email of [user.email, newEmail()]) {
      const each = async (at: number) => ask(email, `192.0.2.${at + 30}`);
      expect(await statuses(LIMIT + 1, each)).toEqual([...accepted, 429]);
      await app.clock.advance(3_600_000);
    }
    expect(await statuses(LIMIT + 1, () => ask(newEmail()))).toEqual([...accepted, 429]);
    const refused = await ask(newEmail());
    expect(refused.headers.get("ratelimit-policy")).toBe(`"mail-requests";q=${LIMIT};w=60`);
    expect((await logIn(user.email, "wrong")).status).toBe(401);
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  it("changes nothing if it is refused", async () => {
    const email = newEmail();
    await statuses(LIMIT, () => ask(email));
    expect((await ask(email)).status).toBe(429);
  });

  it("to confirm one's own address is counted in the same way", async () => {
    const user = await app.signUp();
    const resend = () =>
      app.request("POST", "/api/auth/verify-email/resend", {
        token: user.token,
        headers: { "x-forwarded-for": address },
      });
    expect(await statuses(LIMIT + 1, resend)).toEqual([...Array<number>(LIMIT).fill(202), 429]);
  });
});

describe("registering", () => {
  const register = (from = address) => {
    const body = { email: newEmail(), password: "correct horse battery" };
    return app.request("POST", "/api/auth/register", { body, headers: { "x-forwarded-for": from } });
  };
  const resend = (token: string, from = address) =>
    app.request("POST", "/api/auth/verify-email/resend", { token, headers: { "x-forwarded-for": from } });
  const mailsTo = async (userIds: readonly string[]) => {
    const { rows } = await app.pool.query("select 1 from job_leases where payload->'facts'->>'userId' = any($1)", [
      userIds,
    ]);
    return rows.length;
  };

  it("is never refused because of its mail, which is not sent beyond the limit of the client address (V6.6.3)", async () => {
    const most = 10 * LIMIT;
    const responses = [];
    for (let at = 0; at < most + 3; at += 1) responses.push(await register());
    expect(responses.map(({ status }) => status)).toEqual(Array(most + 3).fill(201));
    const ids = responses.map(({ data }) => String(data.user?.id));
    expect([await mailsTo(ids.slice(0, most)), await mailsTo(ids.slice(most))]).toEqual([most, 0]);
    const elsewhere = await register("203.0.113.150");
    expect(await mailsTo([String(elsewhere.data.user?.id)])).toBe(1);
    // Registering uses up none of the mails that may be asked for.
    const forgot = { body: { email: newEmail() }, headers: { "x-forwarded-for": address } };
    expect((await app.request("POST", "/api/auth/forgot-password", forgot)).status).toBe(202);
    expect((await resend(String(responses.at(-1)?.data.token))).status).toBe(202);
    expect(await mailsTo(ids.slice(most))).toBe(1);
  });

  it("does not circumvent the limit: mails requested by accounts made there count for the address too", async () => {
    const tokens: string[] = [];
    for (let at = 0; at <= LIMIT; at += 1) tokens.push(String((await register()).data.token));
    const asked = [];
    for (const token of tokens) asked.push((await resend(token)).status);
    expect(asked).toEqual([...Array(LIMIT).fill(202), 429]);
    expect((await resend(tokens.at(-1) ?? "", "203.0.113.151")).status).toBe(202);
  });
});

describe("what is stored of tries", () => {
  it("names neither accounts nor addresses, and is removed after its retention", async () => {
    const user = await app.signUp();
    expect((await logIn(user.email, user.password)).status).toBe(200);
    await statuses(4, () => logIn("someone@example.com", "wrong"));
    const { rows } = await app.pool.query(
      "select counter as hash from try_counts union all select pair from known_sign_ins",
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { hash } of rows) expect(hash).toHaveLength(32);
    const sweep = retentionJobs(app.services).find(({ name }) => name === "forget-tries");
    const left = async () => {
      await sweep?.run(null, { lease: { key: "", token: "" }, signal: new AbortController().signal });
      const counts = await app.pool.query(
        "select (select count(*) from try_counts)::int as counts, (select count(*) from known_sign_ins)::int as pairs",
      );
      return counts.rows[0];
    };
    expect((await left()).counts).toBeGreaterThan(0);
    await app.clock.advance(3_600_000);
    expect(await left()).toEqual({ counts: 0, pairs: expect.any(Number) });
    await app.clock.advance(90 * 86_400_000 - 3_600_000);
    expect((await left()).pairs).toBeGreaterThan(0);
    await app.clock.advance(1);
    expect(await left()).toEqual({ counts: 0, pairs: 0 });
  });
});
