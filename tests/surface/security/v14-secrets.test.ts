import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { start } from "../../harness.ts";
import { dump } from "../../support/dump.ts";
import { accountCalls } from "./account.ts";
import { playScenario } from "./scenario.ts";

const { app, email, secrets, dumps, log, stop } = await playScenario();
afterAll(stop);
const calls = accountCalls(app);

/** Returns every form in which a text could contain a secret: unchanged, its bytes in hex and base64, its body alone. */
function formsOf(secret: string): string[] {
  const body = secret.replace(/^(svc_live_|whsec_)/, "");
  const bytes = [Buffer.from(secret), Buffer.from(body, "base64url")].filter(({ length }) => length >= 8);
  const jwtParts = secret.startsWith("eyJ") ? secret.split(".").slice(1) : [];
  return [secret, body, ...jwtParts, ...bytes.flatMap((one) => [one.toString("hex"), one.toString("base64")])];
}

const found = (text: string): string[] =>
  [...secrets].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form))).map(([name]) => name);

test("V14.2.4 the scenario that the next tests search has issued every kind of secret, and the search finds one", () => {
  expect(secrets.size).toBeGreaterThan(30);
  expect(new Set(secrets.values()).size).toBe(secrets.size);
  for (const [name, secret] of secrets) expect(found(`x${secret}x`), name).toContain(name);
  expect(found(Buffer.from(secrets.get("a key") ?? "").toString("hex"))).toContain("a key");
});

test("V13.3.1 a dump of the database contains no usable secret, neither while jobs and links are pending nor at the end", () => {
  for (const text of dumps) {
    for (const there of [email, "job_leases", "send-mail", "127.0.0.1:9/in"]) expect(text).toContain(there);
    expect(found(text)).toEqual([]);
  }
  expect(dumps[0]).toContain("EENVELOPE 451");
  expect(dumps[2]).toContain("the-subject");
});

test("V13.3.1 what is stored instead of a secret does not work as the secret", async () => {
  const key = secrets.get("a rotated key") ?? "";
  const { rows } = await app.pool.query("select prefix, hash from api_keys");
  const hashes: Buffer[] = rows.map(({ hash }) => hash);
  expect(hashes).toContainEqual(createHash("sha256").update(key).digest());
  for (const hash of hashes)
    for (const passed of [hash.toString("hex"), hash.toString("base64url")])
      for (const token of [passed, `svc_live_${passed}`, `svc_live_${passed}A`])
        expect((await calls.me(token)).status).toBe(401);
  expect((await calls.me(rows[0].prefix)).status).toBe(401);
  const { rows: users } = await app.pool.query("select password_hash from users where email = $1", [email]);
  expect((await calls.logIn(email, users[0].password_hash)).status).toBe(401);
  expect((await calls.me(key)).status).toBe(200);
});

test("V13.3.1 an encrypted webhook secret cannot be decrypted with another key, nor for another webhook", async () => {
  const owner = await app.signUp();
  const webhooks: string[] = [];
  for (let at = 0; at < 2; at += 1) {
    const body = { url: "https://hooks.example.com/in", events: [] };
    const { data } = await app.request("POST", "/api/webhooks", { token: owner.token, body });
    webhooks.push(String(data.webhook?.id));
  }
  const { rows } = await app.pool.query("select * from webhooks where id = any($1) order by id", [webhooks]);
  const elsewhere = await start();
  for (const [at, row] of rows.entries()) {
    const sealed = Object.values(row).filter((value): value is Buffer => Buffer.isBuffer(value));
    expect(sealed).toHaveLength(1);
    const bytes = sealed[0] ?? Buffer.alloc(0);
    expect(app.services.sealing.open(bytes, row.id)).toMatch(/^whsec_/);
    expect(() => app.services.sealing.open(bytes, rows[1 - at].id)).toThrow();
    expect(() => elsewhere.services.sealing.open(bytes, row.id)).toThrow();
  }
});

test("V16.2.5 the log contains no secret at its lowest level, even for errors and refused sign-ins", () => {
  expect(log()).toContain("a sign-in was refused");
  expect(log()).toContain("internal_error");
  expect(log().split("\n").length).toBeGreaterThan(4);
  expect(found(log())).toEqual([]);
  // Values of failed queries.
  expect(log()).not.toMatch(/\$argon2|other@example\.com/);
});

test("V16.2.5 a credential in a message, a field or an error is removed from the line", () => {
  const recognisable = [...secrets].filter(([, secret]) => /^(svc_live_|whsec_|eyJ)/.test(secret));
  expect(recognisable.length).toBeGreaterThan(10);
  const before = log().length;
  for (const [, secret] of recognisable) {
    const cause = new Error(`caused by ${secret}`);
    app.services.log.error(
      { err: new Error(`failed on ${secret}`, { cause }), deep: { list: [secret] } },
      `of ${secret}`,
    );
  }
  expect(log().length).toBeGreaterThan(before + 1_000);
  expect(found(log())).toEqual([]);
});

test("V16.4.1 every line of the log is one record, whatever a client sends", async () => {
  const headers = { "x-request-id": "a b\t{}", "user-agent": 'x"},{"level":60' };
  await app.pool.query("alter table users rename to gone");
  await app.request("GET", '/api/auth/me?%0a{"level":60}', { token: secrets.get("a rotated key") ?? "", headers });
  await app.pool.query("alter table gone rename to users");
  const lines = log().trimEnd().split("\n");
  for (const line of lines) expect(JSON.parse(line), line).toMatchObject({ level: expect.any(Number) });
  expect(lines.at(-1)).toContain("internal_error");
  expect(lines.at(-1)).not.toMatch(/a b|"level":60/);
});

test("V16.3.1 sign-ins, failed ones, and every change of a credential are recorded in the audit log", async () => {
  const { data } = await calls.logIn(email, secrets.get("the third password") ?? "");
  const events = await app.request("GET", "/api/audit-log?limit=100", { token: String(data.token) });
  const rows = events.data.events as unknown as Record<string, unknown>[];
  const seen = new Set(rows.map(({ event }) => event));
  for (const event of [
    "user.registered",
    "session.created",
    "session.login_failed",
    "password.reset_requested",
    "password.reset",
    "password.changed",
    "email.verified",
    "api_key.created",
    "api_key.rotated",
  ])
    expect(seen).toContain(event);
  for (const row of rows) expect(row).toMatchObject({ ip: "127.0.0.1", createdAt: expect.stringMatching(/Z$/) });
  expect(found(events.text)).toEqual([]);
});

test("V16.3.1 failed sign-ins to accounts that do not exist are recorded too, without the address", async () => {
  const tried = "nobody-at-all@example.com";
  await calls.logIn(tried, "not the password");
  const { rows } = await app.pool.query("select event, ip from audit_events where user_id is null order by id desc");
  expect(rows[0]).toEqual({ event: "session.login_failed", ip: "127.0.0.1" });
  expect(await dump(app.pool)).not.toContain(tried);
});

test("V11.4.2 passwords are stored as Argon2id, salted, at no less than the recommended cost", async () => {
  const [one, two] = [await app.signUp(), await app.signUp()];
  expect(one.password).toBe(two.password);
  const { rows } = await app.pool.query("select password_hash from users where id = any($1)", [
    [one.userId, two.userId],
  ]);
  const hashes: string[] = rows.map(({ password_hash }) => password_hash);
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) {
    const [, memory, passes, salt = "", tag = ""] =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(hash) ?? [];
    // OWASP Password Storage Cheat Sheet: 19 MiB with two passes, or as much work in other proportions.
    expect(Number(memory) * Number(passes)).toBeGreaterThanOrEqual(19_456 * 2);
    expect([Buffer.from(salt, "base64").length, Buffer.from(tag, "base64").length]).toEqual([16, 32]);
  }
});

test("V11.5.1 keys, secrets and codes are random in every part, and none occurs twice", async () => {
  const user = await app.signUp();
  const bodies = new Set<string>();
  let ones = 0;
  for (let at = 0; at < 20; at += 1) {
    const key = await app.makeKey(user, []);
    const bytes = Buffer.from(key.slice("svc_live_".length), "base64url").subarray(0, 29);
    bodies.add(bytes.toString("hex"));
    ones += [...bytes].reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
  }
  expect(bodies.size).toBe(20);
  // Of 4,640 random bits 2,320 ± 34 are set; six standard deviations never occur.
  expect(Math.abs(ones - 2_320)).toBeLessThan(204);
  for (const name of ["a webhook's secret", "a webhook's new secret"])
    expect(Buffer.from((secrets.get(name) ?? "").slice("whsec_".length), "base64")).toHaveLength(32);
  expect(Buffer.from(secrets.get("an exchange code") ?? "", "base64url")).toHaveLength(32);
});
