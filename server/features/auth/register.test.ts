import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";
import { loadConfig } from "../../config.ts";

const app = await start({ fullPasswordCost: true });
const cheap = await start({ config: { rateLimitAuthPerMinute: 1_000 } });
const closed = await start({ config: { registration: "closed" } });
const limited = await start({
  config: {
    registrationDomains: loadConfig({ REGISTRATION_DOMAINS: "Example.com, bücher.example" }).registrationDomains,
  },
});
const password = "correct horse battery";
const register = (body: Record<string, unknown>) => app.request("POST", "/api/auth/register", { body });

/** Asserts that `body` is refused as invalid at `path` and that no user was created. */
async function expectRefused(body: Record<string, unknown>, path: string) {
  const response = await register(body);
  expect([response.status, response.body.message], response.text).toEqual([400, "validation_failed"]);
  expect([...(response.body.errors as unknown as { path: string }[])].map((fault) => fault.path)).toContain(path);
}

describe("registering", () => {
  it("returns the user and a session token that is valid at once", async () => {
    const { status, data } = await register({ email: "  Ada.Moreau@Example.COM ", password, name: "Ada Moreau" });
    expect(status).toBe(201);
    expect(data.user).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      email: "ada.moreau@example.com",
      name: "Ada Moreau",
      avatarUrl: null,
      isAdministrator: false,
      undeliveredAt: null,
      defaultTeamId: null,
      defaultPermission: "view",
      emailVerifiedAt: null,
      createdAt: app.clock.now().toISOString(),
    });
    const soon = app.clock.now().getTime() + 3_600_000;
    expect(Date.parse(String(data.expiresAt))).toBe(Math.floor(soon / 1000) * 1000);
    const me = await app.request("GET", "/api/auth/me", { token: String(data.token) });
    expect(me.data.user).toEqual(data.user);
  });

  it("stores the password only as an Argon2id hash (V11.4.2)", async () => {
    await register({ email: "stored@example.com", password: "unmistakable passphrase" });
    const { rows } = await app.pool.query("select * from users where email = 'stored@example.com'");
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(rows)).not.toContain("unmistakable");
  });

  it("names the user after the address's local part if no name is given, cut at the limit and never empty", async () => {
    expect((await register({ email: "Noor.Haddad@example.com", password })).data.user?.name).toBe("Noor.Haddad");
    expect((await register({ email: "!@example.com", password })).data.user?.name).toBe("!");
    const long = "é".repeat(240);
    expect((await register({ email: `${long}@example.com`, password })).data.user?.name).toBe("é".repeat(200));
  });

  it.each([8, 128])("accepts a password of %i code points of any kind (V6.2.1, V6.2.9)", async (length) => {
    const emoji = "🐎".repeat(length);
    const email = `emoji${length}@example.com`;
    expect((await register({ email, password: emoji })).status).toBe(201);
    expect((await app.request("POST", "/api/auth/login", { body: { email, password: emoji } })).status).toBe(200);
    const shorter = { email, password: "🐎".repeat(length - 1) };
    expect((await app.request("POST", "/api/auth/login", { body: shorter })).status).toBe(401);
  });

  it("accepts a password of 128 composed characters at sign-in, even if each is sent decomposed (V6.2.8, V6.2.9)", async () => {
    const email = "composed@example.com";
    expect((await register({ email, password: "\u1f82".repeat(128) })).status).toBe(201);
    const typed = "\u1f82".normalize("NFD").repeat(128);
    expect([...typed]).toHaveLength(512);
    const logIn = (given: string) => app.request("POST", "/api/auth/login", { body: { email, password: given } });
    expect((await logIn(typed)).status).toBe(200);
    expect((await logIn(typed.slice(4))).status).toBe(401);
  });

  it.each([
    "lettersofonecaseonly",
    "739102846105",
    "только кириллица",
    "正確な馬の電池の留め金",
    "          ",
    "' or 1=1; drop table users --",
    '<script>alert("x")</script>',
    "tab\tand\nnew line\u0007",
    "\\u0000 %00 {{y}} $(z)",
  ])("accepts any characters in a password, even of only one kind: %j (V6.2.5)", async (any) => {
    const email = `${randomUUID()}@example.com`;
    expect((await register({ email, password: any })).status).toBe(201);
    expect((await app.request("POST", "/api/auth/login", { body: { email, password: any } })).status).toBe(200);
  });

  it("trims, folds and simplifies nothing in a password (V6.2.8)", async () => {
    const email = "unchanged@example.com";
    const exact = "  Straße ² ﬁn Ångström\u00a0";
    const logIn = (given: string) => cheap.request("POST", "/api/auth/login", { body: { email, password: given } });
    expect((await cheap.request("POST", "/api/auth/register", { body: { email, password: exact } })).status).toBe(201);
    const near = [
      exact.trim(),
      exact.trimEnd(),
      exact.toLowerCase(),
      exact.replace("ß", "ss"),
      exact.replace("²", "2"),
      exact.replace("ﬁ", "fi"),
      exact.replace("Å", "A"),
      exact.replace("\u00a0", " "),
    ];
    for (const wrong of near) expect((await logIn(wrong)).status, JSON.stringify(wrong)).toBe(401);
    expect((await logIn(exact)).status).toBe(200);
  });

  it.each([
    ["shorter than 8", "🐎".repeat(7)],
    ["longer than 128", "a".repeat(129)],
    ["shorter than 8 once it is composed", "e\u0301".repeat(7)],
    ["with a NUL character", "correct\u0000horse"],
    ["of another type", 12_345_678],
  ])("refuses a password %s (V6.2.1, V6.2.9)", async (_, refused) => {
    await expectRefused({ email: "refused@example.com", password: refused }, "/password");
  });

  it("accepts addresses and names up to their limits and refuses longer ones", async () => {
    const domain = "@example.com";
    expect((await register({ email: "a".repeat(254 - domain.length) + domain, password })).status).toBe(201);
    await expectRefused({ email: "a".repeat(255 - domain.length) + domain, password }, "/email");
    expect((await register({ email: "name200@example.com", password, name: "ü".repeat(200) })).status).toBe(201);
    await expectRefused({ email: "name201@example.com", password, name: "ü".repeat(201) }, "/name");
  });

  it.each(["", "nobody", "@example.com", "a@b@c", "a b@example.com", "a@", null])(
    "refuses %j as an address",
    async (email) => {
      await expectRefused({ email, password }, "/email");
    },
  );

  it.each(["", "  \u2003\t", null])("refuses %j as a name", async (name) => {
    await expectRefused({ email: "name@example.com", password, name }, "/name");
  });

  it("refuses unknown fields, and fields that only the service sets (V15.3.3)", async () => {
    await expectRefused({ email: "extra@example.com", password, role: "admin" }, "/role");
    await expectRefused(
      { email: "extra@example.com", password, emailVerifiedAt: "2026-01-01T00:00:00Z" },
      "/emailVerifiedAt",
    );
  });
});

describe("an address that is taken", () => {
  it("is refused in any spelling, and its account stays as it was", async () => {
    await register({ email: "taken@example.com", password });
    const again = await register({ email: " TAKEN@example.com", password: "another password" });
    expect([again.status, again.body.message]).toEqual([409, "email_taken"]);
  });

  it("is registered by exactly one of ten simultaneous requests", async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) => register({ email: "race@example.com", password: `password number ${at}` })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const { rows } = await app.pool.query("select count(*)::int as users from users where email = 'race@example.com'");
    expect(rows[0].users).toBe(1);
    const winner = responses.findIndex(({ status }) => status === 201);
    const body = { email: "race@example.com", password: `password number ${winner}` };
    expect((await app.request("POST", "/api/auth/login", { body })).status).toBe(200);
  });
});

describe("with registration closed", () => {
  it("refuses everyone and registers nobody", async () => {
    const response = await closed.request("POST", "/api/auth/register", {
      body: { email: "late@example.com", password },
    });
    expect([response.status, response.body.message]).toEqual([403, "registration_closed"]);
    expect((await closed.pool.query("select 1 from users")).rowCount).toBe(0);
  });
});

describe("with registration limited to domains", () => {
  const add = (email: string) => limited.request("POST", "/api/auth/register", { body: { email, password } });

  it.each(["ada@example.com", "Ada.2@EXAMPLE.com ", "ada@bücher.example", "eve@xn--bcher-kva.example"])(
    "accepts %s, however its domain is written",
    async (email) => {
      expect((await add(email)).status).toBe(201);
    },
  );

  it.each(["ada@example.org", "ada@sub.example.com", "ada@notexample.com", "ada@example.com.evil.example"])(
    "refuses %s and registers nobody",
    async (email) => {
      const { status, body } = await add(email);
      expect([status, body.message, body.details]).toEqual([403, "registration_closed", { reason: "domain" }]);
    },
  );
});
