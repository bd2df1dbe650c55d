import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
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

test("the scenario that the next tests search has issued every kind of secret, and the search finds one (V14.2.4)", () => {
  expect(secrets.size).toBeGreaterThan(30);
  expect(new Set(secrets.values()).size).toBe(secrets.size);
  for (const [name, secret] of secrets) expect(found(`x${secret}x`), name).toContain(name);
  expect(found(Buffer.from(secrets.get("a key") ?? "").toString("hex"))).toContain("a key");
});

test("a dump of the database contains no usable secret, neither while jobs and links are pending nor at the end (V10.1.1, V13.3.1)", () => {
  for (const text of dumps) {
    for (const there of [email, "job_leases", "send-mail", "127.0.0.1:9/in"]) expect(text).toContain(there);
    expect(found(text)).toEqual([]);
  }
  expect(dumps[0]).toContain("EENVELOPE 451");
  expect(dumps[2]).toContain("the-subject");
});

test("what is stored instead of a secret does not work as the secret (V13.3.1)", async () => {
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

test("the log contains no secret at its lowest level, even for errors and refused sign-ins (V16.2.5)", () => {
  expect(log()).toContain("a sign-in was refused");
  expect(log()).toContain("internal_error");
  expect(log().split("\n").length).toBeGreaterThan(4);
  expect(found(log())).toEqual([]);
  // Values of failed queries.
  expect(log()).not.toMatch(/\$argon2|other@example\.com/);
});

test("every line of the log is one record, whatever a client sends (V16.4.1)", async () => {
  const headers = { "x-request-id": "a b\t{}", "user-agent": 'x"},{"level":60' };
  const before = log().length;
  await app.pool.query("alter table users rename to gone");
  await app.request("GET", '/api/auth/me?%0a{"level":60}', { token: secrets.get("a rotated key") ?? "", headers });
  await app.pool.query("alter table gone rename to users");
  const lines = log().trimEnd().split("\n");
  for (const line of lines) expect(JSON.parse(line), line).toMatchObject({ level: expect.any(Number) });
  // Others may follow, of what is done in the background and needs that table as well.
  const failed = log()
    .slice(before)
    .split("\n")
    .filter((line) => line.includes("internal_error"));
  expect(failed.length).toBe(1);
  expect(failed[0]).not.toMatch(/a b|"level":60/);
});

test("sign-ins, failed ones, and every change of a credential are recorded in the audit log (V16.3.1)", async () => {
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

test("keys, secrets and codes are random in every part, and none occurs twice (V11.5.1)", async () => {
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
