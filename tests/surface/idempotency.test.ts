import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { forgetResponses } from "../../server/http/idempotency.ts";
import { start, type TestUser } from "../harness.ts";

const app = await start();
const user = await app.signUp();

const create = (key: string, title = "Once", as: TestUser = user) =>
  app.request("POST", "/api/estimations", { token: as.token, body: { title }, headers: { "idempotency-key": key } });
const count = async (as: TestUser = user) =>
  (await app.pool.query("select count(*)::int as n from estimations where owner_id = $1", [as.userId])).rows[0].n;

test("the same key with the same body returns the first response and does the work once", async () => {
  const before = await count();
  const first = await create("a");
  const second = await create("a");
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.text).toBe(first.text);
  expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
  expect(first.headers.has("idempotent-replayed")).toBe(false);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(await count()).toBe(before + 1);
});

test("twenty simultaneous requests do the work once", async () => {
  const before = await count();
  const responses = await Promise.all(Array.from({ length: 20 }, () => create("parallel")));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(19);
  expect(await count()).toBe(before + 1);
});

test("a key with another body or path is refused and changes nothing", async () => {
  await create("b");
  const other = await create("b", "Another");
  expect([other.status, other.body.message]).toEqual([409, "idempotency_key_reused"]);
  const elsewhere = await app.request("POST", "/api/api-keys", {
    token: user.token,
    body: { name: "x", scopes: [] },
    headers: { "idempotency-key": "b" },
  });
  expect(elsewhere.status).toBe(409);
});

test("a body of other bytes is another request, whatever it means", async () => {
  const send = (body: object) =>
    app.request("POST", "/api/estimations", { token: user.token, body, headers: { "idempotency-key": "order" } });
  const first = await send({ title: "Once", tags: ["web", "shop"] });
  expect((await send({ title: "Once", tags: ["web", "shop"] })).text).toBe(first.text);
  for (const other of [
    { tags: ["web", "shop"], title: "Once" },
    { title: "Once", tags: ["shop", "web"] },
  ]) {
    const { status, body } = await send(other);
    expect([status, body.message]).toEqual([409, "idempotency_key_reused"]);
  }
});

test("a key belongs to one user (V8.4.1)", async () => {
  const other = await app.signUp();
  await create("shared");
  const theirs = await create("shared", "Theirs", other);
  expect([theirs.status, theirs.headers.has("idempotent-replayed")]).toEqual([201, false]);
});

test("a refused request does not use up the key", async () => {
  const refused = await create("later", "");
  expect(refused.status).toBe(400);
  expect((await create("later", "Now")).status).toBe(201);
});

test("a replay leaves out the secret of the first response, and the secret is not stored", async () => {
  const make = () =>
    app.request("POST", "/api/api-keys", {
      token: user.token,
      body: { name: "x", scopes: ["tasks:read"] },
      headers: { "idempotency-key": "secret" },
    });
  const first = await make();
  const second = await make();
  expect(String(first.data.plaintext)).toMatch(/^svc_live_/);
  expect(second.status).toBe(201);
  expect(second.data).toEqual({ apiKey: first.data.apiKey });
  const { rows } = await app.pool.query("select data::text as data from idempotency_keys where key = 'secret'");
  expect(rows[0].data).not.toContain(String(first.data.plaintext));
});

test("authentication ignores the key: every login is a new one", async () => {
  const login = () =>
    app.request("POST", "/api/auth/login", {
      body: { email: user.email, password: user.password },
      headers: { "idempotency-key": "login" },
    });
  expect([(await login()).status, (await login()).headers.has("idempotent-replayed")]).toEqual([200, false]);
  const { rows } = await app.pool.query("select 1 from idempotency_keys where key = 'login'");
  expect(rows).toHaveLength(0);
});

test("a key is valid for 24 hours and no longer", async () => {
  const other = await app.signUp();
  const hourMs = 3_600_000;
  await create("day", "Once", other);
  await app.clock.advance(limits.idempotencyHours * hourMs - 1);
  const { data } = await app.request("POST", "/api/auth/login", {
    body: { email: other.email, password: other.password },
  });
  const as = { ...other, token: String(data.token) };
  expect((await create("day", "Once", as)).headers.has("idempotent-replayed")).toBe(true);
  await app.clock.advance(1);
  expect((await create("day", "Another", as)).status).toBe(201);
  expect(await count(other)).toBe(2);
});

test("a key is 1 to 255 visible ASCII characters", async () => {
  const { token } = (
    await app.request("POST", "/api/auth/login", { body: { email: user.email, password: user.password } })
  ).data;
  const as = { ...user, token: String(token) };
  expect((await create("k".repeat(limits.idempotencyKeyLength), "Long", as)).status).toBe(201);
  const before = await count();
  for (const key of ["k".repeat(limits.idempotencyKeyLength + 1), "a b", ""]) {
    const refused = await create(key, "Refused", as);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ in: "header", path: "/idempotency-key", code: "wrong_format" }]);
  }
  expect(await count()).toBe(before);
});

test("responses older than a day, and no others, are removed, in batches", async () => {
  await create("old-1");
  await create("old-2");
  await app.clock.advance(2);
  await create("young", "Once", await app.signUp());
  // The old ones are a millisecond older than a day, this one is a millisecond younger.
  await app.clock.advance(limits.idempotencyHours * 3_600_000 - 1);
  const { rows } = await app.pool.query("select count(*)::int as old from idempotency_keys where key <> 'young'");
  const now = app.clock.now();
  expect(await forgetResponses(app.services.pool, now, 1)).toBe(1);
  expect(await forgetResponses(app.services.pool, now, 1_000)).toBe(rows[0].old - 1);
  expect((await app.pool.query("select key from idempotency_keys")).rows).toEqual([{ key: "young" }]);
});
