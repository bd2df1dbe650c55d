import { describe, expect, it, vi } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { createPool, drizzleOver } from "../../db/database.ts";
import { makePlaintext } from "./plaintext.ts";
import { createKeyVerifier, type KeyVerifier } from "./verify-key.ts";

const app = await start();
const owner = await app.signUp();
const create = async (fields: Record<string, unknown> = {}) => {
  const body = { name: "CI", scopes: ["estimations:read"], ...fields };
  const { data } = await app.request("POST", "/api/api-keys", { token: owner.token, body });
  return { id: String(data.apiKey?.id), plaintext: String(data.plaintext) };
};
const use = (token: string) => app.request("GET", "/api/auth/me", { token });
const lastUsedOf = async (id: string) =>
  (await app.request("GET", `/api/api-keys/${id}`, { token: owner.token })).data.apiKey?.lastUsedAt as unknown as
    | string
    | null;

async function expectInvalid(token: string) {
  const response = await use(token);
  expect([response.status, response.body.message, response.headers.get("www-authenticate")]).toEqual([
    401,
    "api_key_invalid",
    "Bearer",
  ]);
}

/** A verifier of its own over a pool whose queries are counted. */
async function withVerifier(
  test: (verifier: ReturnType<typeof createKeyVerifier>, queries: () => number) => Promise<void>,
) {
  const pool = createPool(app.connection, app.services.log);
  const query = vi.spyOn(pool, "query");
  const verifier = createKeyVerifier({ ...app.services, pool: drizzleOver(pool) });
  try {
    await test(verifier, () => query.mock.calls.length);
  } finally {
    await verifier.stop();
    await pool.end();
  }
}

const verify = async (verifier: KeyVerifier, plaintext: string) => verifier.read(plaintext).prove();

describe("a key", () => {
  it("costs one query if it is well-formed, known or not, and none if it is mistyped", async () => {
    const { id, plaintext } = await create();
    await withVerifier(async (verifier, queries) => {
      expect(await verify(verifier, plaintext)).toEqual({
        userId: owner.userId,
        credential: "key",
        apiKeyId: id,
        scopes: ["estimations:read"],
        tokenVersion: null,
        session: null,
      });
      expect(queries()).toBe(1);
      await expect(verify(verifier, makePlaintext())).rejects.toMatchObject({ key: "api_key_invalid" });
      expect(queries()).toBe(2);
      const flipped = `${plaintext.slice(0, 20)}${plaintext[20] === "x" ? "y" : "x"}${plaintext.slice(21)}`;
      for (const mistyped of [
        flipped,
        plaintext.slice(0, -1),
        `${plaintext}a`,
        "svc_live_",
        `svc_live_${"a".repeat(16_000)}`,
      ]) {
        await expect(verify(verifier, mistyped)).rejects.toMatchObject({ key: "api_key_invalid" });
      }
      expect(queries()).toBe(2);
    });
  });

  it("is refused in the same way if it is unknown, mistyped, empty, or only a prefix", async () => {
    await create();
    for (const token of [makePlaintext(), `svc_live_${"A".repeat(44)}`, "svc_live_", `${makePlaintext()}.`])
      await expectInvalid(token);
  });

  it("is valid until it expires, and not from that millisecond on (V8.3.2)", async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const { plaintext } = await create({ expiresAt });
    await app.clock.advance(59_999);
    expect((await use(plaintext)).status).toBe(200);
    await app.clock.advance(1);
    await expectInvalid(plaintext);
  });

  it("that was created expired, or is revoked, gives no access (V8.3.2)", async () => {
    await expectInvalid((await create({ expiresAt: app.clock.now().toISOString() })).plaintext);
    const { id, plaintext } = await create();
    expect((await use(plaintext)).status).toBe(200);
    await app.request("DELETE", `/api/api-keys/${id}`, { token: owner.token });
    await expectInvalid(plaintext);
  });

  it("stays valid whatever happens to its user's sessions", async () => {
    const user = await app.signUp();
    const key = await app.makeKey(user, ["estimations:read"]);
    await app.request("POST", "/api/auth/logout", { token: user.token });
    expect((await use(key)).data.user?.id).toBe(user.userId);
  });
});

describe("the last use of a key", () => {
  it("is written within a few seconds, for any number of uses, and not by refused ones", async () => {
    const [used, unused] = [await create(), await create()];
    const revoked = await create();
    await app.request("DELETE", `/api/api-keys/${revoked.id}`, { token: owner.token });
    for (let at = 0; at < 10; at += 1) await use(used.plaintext);
    const last = app.clock.now().toISOString();
    expect(await lastUsedOf(used.id)).toBeNull();
    await use(revoked.plaintext);
    await app.clock.advance(5_000);
    expect(await until(() => lastUsedOf(used.id))).toBe(last);
    expect([await lastUsedOf(unused.id), await lastUsedOf(revoked.id)]).toEqual([null, null]);
  });

  it("counts even if the key lacks the required scope", async () => {
    const { id, plaintext } = await create({ scopes: [] });
    expect((await app.request("GET", "/api/estimations", { token: plaintext })).status).toBe(403);
    await app.clock.advance(5_000);
    await until(() => lastUsedOf(id));
  });

  it("is written in one statement for all keys, in none if no key was used, and at the end", async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => create()));
    await withVerifier(async (verifier, queries) => {
      await verifier.flush();
      expect(queries()).toBe(0);
      for (const { plaintext } of made) await verify(verifier, plaintext);
      expect(queries()).toBe(4);
      await verifier.flush();
      expect(queries()).toBe(5);
      expect(await Promise.all(made.map(({ id }) => lastUsedOf(id)))).toEqual(
        made.map(() => app.clock.now().toISOString()),
      );
      await app.clock.advance(1_000);
      await verify(verifier, made[0]?.plaintext ?? "");
      await verifier.stop();
      expect(await lastUsedOf(made[0]?.id ?? "")).toBe(app.clock.now().toISOString());
      await app.clock.advance(60_000);
      expect(queries()).toBe(7);
    });
  });

  it("never goes back to an earlier one that another process writes later", async () => {
    const { id, plaintext } = await create();
    await withVerifier(async (slow) => {
      await verify(slow, plaintext);
      await app.clock.advance(1_000);
      await withVerifier(async (fast) => {
        await verify(fast, plaintext);
      });
      const latest = await lastUsedOf(id);
      expect(latest).toBe(app.clock.now().toISOString());
      await slow.flush();
      expect(await lastUsedOf(id)).toBe(latest);
    });
  });

  it("is written later if it could not be written, and requests continue meanwhile", async () => {
    const [{ id, plaintext }, other] = [await create(), await create()];
    await withVerifier(async (verifier) => {
      await verify(verifier, plaintext);
      const first = app.clock.now().toISOString();
      await app.pool.query("alter table api_keys rename column last_used_at to used_last");
      try {
        await verifier.flush();
        await app.clock.advance(1_000);
        expect(await verify(verifier, other.plaintext)).toMatchObject({ credential: "key" });
      } finally {
        await app.pool.query("alter table api_keys rename column used_last to last_used_at");
      }
      await verifier.flush();
      expect(await lastUsedOf(id)).toBe(first);
    });
  });
});
