import { describe, expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";

const app = await start({ config: { webhookAllowedNetworks: [] } });
const owner = await app.signUp();
const TOKEN = "github_pat_11AAAAAAA0verysecretverysecret";

const send = (method: string, below = "", body?: object) =>
  app.request(method, `/api/connections${below}`, { token: owner.token, body });
const make = async (more: object = {}) => {
  const { data } = await send("POST", "", { target: "github", name: "Ours", token: TOKEN, ...more });
  return String(data.connection?.id);
};
const stored = async (id: string) => (await app.pool.query("select * from connections where id = $1", [id])).rows[0];
const tokenOf = async (id: string) => app.services.sealing.open((await stored(id)).token, id);

describe("a connection to Jira", () => {
  const jira = {
    target: "jira",
    name: "Ours",
    baseUrl: "https://acme.atlassian.net",
    email: "ada@example.com",
    token: TOKEN,
  };

  test("has the address of its site and the e-mail address of the token's user", async () => {
    const { data, status } = await send("POST", "", jira);
    expect([status, data.connection]).toMatchObject([
      201,
      { target: "jira", baseUrl: "https://acme.atlassian.net", email: "ada@example.com" },
    ]);
    const id = String(data.connection?.id);
    const changed = await send("PATCH", `/${id}`, { email: "grace@example.com" });
    expect(changed.data.connection).toMatchObject({ email: "grace@example.com" });
    expect(await tokenOf(id)).toBe(TOKEN);
    for (const change of [{ email: null }, { baseUrl: null, token: TOKEN }]) {
      const refused = await send("PATCH", `/${id}`, change);
      expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([400, "required"]);
    }
  });

  test("requires both, and a connection to GitHub has no such user", async () => {
    const { baseUrl: _, email: __, ...bare } = jira;
    const refused = await send("POST", "", bare);
    expect([refused.status, [0, 1].map((at) => refused.body.errors?.[at]?.path)]).toEqual([
      400,
      ["/baseUrl", "/email"],
    ]);
    const github = await send("POST", "", { target: "github", name: "x", token: TOKEN, email: "ada@example.com" });
    expect([github.status, github.body.errors?.[0]?.path]).toEqual([400, "/email"]);
    for (const email of ["ada", "a:b@example.com", "a b@example.com", "@example.com"])
      expect((await send("POST", "", { ...jira, email })).status, email).toBe(400);
  });

  test("is checked with fields of its own tracker only", async () => {
    const id = String((await send("POST", "", jira)).data.connection?.id);
    const faultOf = async (body: object) => (await send("POST", `/${id}/check`, body)).body.errors?.[0];
    expect(await faultOf({ repository: "acme/shop" })).toMatchObject({ path: "/repository", code: "not_allowed" });
    expect(await faultOf({ issueType: "Task" })).toMatchObject({ path: "/projectKey", code: "required" });
    const github = await make();
    const other = (await send("POST", `/${github}/check`, { projectKey: "SHOP" })).body.errors?.[0];
    expect(other).toMatchObject({ path: "/projectKey", code: "not_allowed" });
  });
});

describe("the token of a connection", () => {
  test("is in no response, and is stored encrypted, bound to its record", async () => {
    const created = await send("POST", "", { target: "github", name: "Ours", token: TOKEN });
    const id = String(created.data.connection?.id);
    const replaced = "ghp_another0secret0another0secret";
    const responses = [
      created,
      await send("GET"),
      await send("GET", `/${id}`),
      await send("PATCH", `/${id}`, { token: replaced }),
      await send("DELETE", `/${await make()}`),
    ];
    for (const { text, status } of responses) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(replaced);
    }
    expect(await tokenOf(id)).toBe(replaced);
    const { rows } = await app.pool.query("select * from connections");
    expect(JSON.stringify(rows)).not.toContain("secret");
    expect(Buffer.concat(rows.map(({ token }) => token)).toString("latin1")).not.toContain("secret");
    const other = await make();
    await expect(async () => app.services.sealing.open((await stored(other)).token, id)).rejects.toThrow();
  });

  test("is stored neither for the replay of an Idempotency-Key nor in any log of changes", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { target: "github", name: "Ours", token: TOKEN };
    const first = await app.request("POST", "/api/connections", { token: owner.token, body, headers });
    const again = await app.request("POST", "/api/connections", { token: owner.token, body, headers });
    expect(again.text).toBe(first.text);
    for (const table of ["idempotency_keys", "audit_events"]) {
      const { rows } = await app.pool.query(`select to_jsonb(t)::text as row from ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ row }) => row).join()).not.toContain("verysecret");
    }
  });

  test("has to be given again with another address, so that it is sent to no other server", async () => {
    const id = await make({ baseUrl: "https://github.example.com/api/v3" });
    for (const baseUrl of ["https://elsewhere.example.com/api/v3", null]) {
      const refused = await send("PATCH", `/${id}`, { baseUrl });
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/token"]);
    }
    const same = await send("PATCH", `/${id}`, { baseUrl: "https://GitHub.example.com/api/v3/", name: "x" });
    expect(same.data.connection?.baseUrl).toBe("https://github.example.com/api/v3");
    const moved = await send("PATCH", `/${id}`, { baseUrl: null, token: TOKEN });
    expect([moved.status, moved.data.connection?.baseUrl]).toEqual([200, null]);
  });
});

describe("a connection", () => {
  test("whose token can no longer be decrypted reports that when it is checked", async () => {
    const id = await make();
    await app.pool.query("update connections set token = $2 where id = $1", [id, Buffer.from("made with another key")]);
    const { status, data } = await send("POST", `/${id}/check`, {});
    expect([status, data.ok]).toEqual([200, false]);
    expect((data.problems as unknown as { code: string }[]).map(({ code }) => code)).toEqual(["connection_missing"]);
  });

  test.each([
    ["http://github.example.com", "wrong_format"],
    ["https://127.0.0.1/api/v3", "not_allowed"],
    ["https://[::1]/api/v3", "not_allowed"],
    ["https://10.1.2.3/api/v3", "not_allowed"],
    ["https://github.example.com:22/api/v3", "not_allowed"],
    ["https://me:secret@github.example.com", "not_allowed"],
    ["https://github.example.com/#x", "not_allowed"],
    ["https://github.example.com/?x=1", "not_allowed"],
    ["github.example.com", "wrong_format"],
  ])("cannot have the address %s", async (baseUrl, code) => {
    const refused = await send("POST", "", { target: "github", name: "x", token: TOKEN, baseUrl });
    expect([refused.status, refused.body.errors?.[0]?.code, refused.body.errors?.[0]?.path]).toEqual([
      400,
      code,
      "/baseUrl",
    ]);
  });

  test.each(["", "a token", "ghp_ö", "ghp_x\r\nHost: x", "x".repeat(1_001)])(
    "cannot have the token %j",
    async (token) => {
      const refused = await send("POST", "", { target: "github", name: "x", token });
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/token"]);
    },
  );

  test("is written in the audit log when it is made, changed, and deleted", async () => {
    const person = await app.signUp();
    const call = (method: string, below = "", body?: object) =>
      app.request(method, `/api/connections${below}`, { token: person.token, body });
    const { data } = await call("POST", "", { target: "github", name: "x", token: TOKEN });
    const below = `/${data.connection?.id}`;
    await call("PATCH", below, { name: "y" });
    await call("PATCH", below, { name: "y" });
    await call("PATCH", below, { token: TOKEN });
    await call("DELETE", below);
    const log = await app.request("GET", "/api/audit-log", { token: person.token });
    const events = (log.data.events as unknown as { event: string }[]).map(({ event }) => event).reverse();
    expect(events.filter((event) => event.startsWith("connection."))).toEqual([
      "connection.created",
      "connection.updated",
      "connection.token_replaced",
      "connection.removed",
    ]);
  });

  test("has a limit per user, even if several are made at the same time", async () => {
    const small = await start({ config: { quotas: { ...app.services.config.quotas, connections: 2 } } });
    const { token } = await small.signUp();
    const body = { target: "github", name: "x", token: TOKEN };
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => small.request("POST", "/api/connections", { token, body })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.details).toEqual({ quota: "connections", limit: 2 });
  });
});
