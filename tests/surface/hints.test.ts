import { beforeAll, describe, expect, test } from "vitest";
import { type Json, type Response, start, type TestUser } from "../harness.ts";

const app = await start({ pages: true });
let user: TestUser;
let path = "";
let node = "";
let option = "";

const send = (method: string, url: string, body?: unknown, token = user.token): Promise<Response> =>
  app.request(method, url, { token, ...(body === undefined ? {} : { body }) });
const hintOf = async (method: string, url: string, body?: unknown) => (await send(method, url, body)).body.hint;
/** The message of the first fault. */
const messageOf = async (method: string, url: string, body: unknown) =>
  (await send(method, url, body)).body.errors?.[0]?.message;

beforeAll(async () => {
  user = await app.signUp();
  const { data } = await send("POST", "/api/estimations", { title: "Shop" });
  path = `/api/estimations/${data.estimation?.id}`;
  const nodes = [{ title: "Payment", kind: "group", options: [{ title: "Card", hours: 1 }] }];
  const tree = (await send("PUT", `${path}/tree`, { nodes })).data.tree as Json;
  const [first] = tree.nodes as unknown as { id: string; options: { id: string }[] }[];
  [node, option] = [String(first?.id), String(first?.options[0]?.id)];
});

describe("the response for a path that does not exist has the one that was meant:", () => {
  const id = `est_${"0".repeat(26)}`;
  test.each([
    ["GET", "/api/v1/estimations", "/api/estimations"],
    ["GET", "/v2/estimations", "/api/estimations"],
    ["GET", "/api/Estimations", "/api/estimations"],
    ["GET", `/API/estimations/${id}/TREE`, `/api/estimations/${id}/tree`],
    ["GET", "/api/estimation", "/api/estimations"],
    ["GET", "/api/api_keys", "/api/api-keys"],
    ["GET", "/api/API_Key", "/api/api-keys"],
    ["POST", "/api/webhook", "/api/webhooks"],
    ["GET", `/api/estimation/${id}/versions`, `/api/estimations/${id}/versions`],
    ["GET", "/api//estimations", "/api/estimations"],
    ["GET", "/api/estmations/", "/api/estimations"],
  ])("%s %s", async (method, given, meant) => {
    const { status, body } = await send(method, given, method === "POST" ? {} : undefined);
    expect([status, body.hint]).toEqual([404, `Did you mean ${meant}?`]);
  });

  test.each(["/api/nowhere", "/nowhere", `/api/estimations/${"x/".repeat(20)}`, `/api/${"e".repeat(600)}`, "/api/x"])(
    "none is similar to %s",
    async (given) => {
      const { status, body } = await send("GET", given);
      expect([status, body.hint]).toEqual([404, undefined]);
    },
  );

  test("a page of the web application is not suggested to a program", async () => {
    expect(await hintOf("POST", "/estimations", { title: "Shop" })).toBe(
      "Paths begin with /api: put it before this one.",
    );
    // There is no such path of the API, and GET would return a page.
    const { status, body } = await send("POST", "/sign-in", { email: user.email });
    expect([status, body.hint]).toEqual([405, expect.stringMatching(/^This is a page for browsers/)]);
    for (const page of ["/estimations", "/", "/docs"])
      for (const accept of ["application/json", "application/json, */*;q=0.1"]) {
        const asked = await app.request("GET", page, { headers: { accept } });
        expect([asked.status, asked.body.details, asked.body.hint], page).toEqual([
          404,
          { reason: "unknown_path" },
          expect.stringMatching(/^This is a page for browsers/),
        ]);
      }
  });
});

describe("the response for a refused credential has the reason:", () => {
  const refusal = async (authorization: string, url = "/api/auth/me") => {
    const { status, body } = await app.request("GET", url, { headers: { authorization } });
    return [status, body.message, body.hint];
  };
  const isKey = /^A key is `svc_live_` and 44 letters/;
  const madeKey = async (body: object = {}) => {
    const { data } = await send("POST", "/api/api-keys", { name: "CI", scopes: ["estimations:read"], ...body });
    return { id: String(data.apiKey?.id), plaintext: String(data.plaintext) };
  };

  test("an unknown key, a rotated one, a part of one, and one in quotes", async () => {
    const unknown = /^No key has this text/;
    const { id, plaintext } = await madeKey();
    expect((await send("POST", `/api/api-keys/${id}/rotate`)).status).toBe(200);
    expect(await refusal(`Bearer ${plaintext}`)).toEqual([401, "api_key_invalid", expect.stringMatching(unknown)]);
    expect(await refusal(`Bearer ${plaintext.slice(0, -1)}`)).toEqual([
      401,
      "api_key_invalid",
      expect.stringMatching(isKey),
    ]);
    for (const quote of ['"', "'", "`"])
      expect(await refusal(`Bearer ${quote}${plaintext}${quote}`)).toEqual([
        401,
        "Invalid or expired token",
        "Send the key or token without quotes around it.",
      ]);
  });

  test("an expired key and a revoked one, with the time", async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const [expiring, revoked] = [await madeKey({ expiresAt }), await madeKey()];
    const at = app.clock.now().toISOString();
    expect((await send("DELETE", `/api/api-keys/${revoked.id}`)).status).toBe(200);
    await app.clock.advance(60_000);
    expect(await refusal(`Bearer ${revoked.plaintext}`)).toEqual([
      401,
      "api_key_invalid",
      `This key was revoked at ${at}.`,
    ]);
    expect(await refusal(`Bearer ${expiring.plaintext}`)).toEqual([
      401,
      "api_key_invalid",
      `This key expired at ${expiresAt}: make another one.`,
    ]);
  });

  test("an expired session, a revoked one, and no token of this service", async () => {
    const [expiring, leaving] = [await app.signUp(), await app.signUp()];
    await send("POST", "/api/auth/logout", undefined, leaving.token);
    expect((await refusal(`Bearer ${leaving.token}`))[2]).toMatch(/^A logout, or a new password, has ended/);
    await app.clock.advance(3_600_000);
    const invalid = [401, "Invalid or expired token"];
    for (let times = 0; times < 2; times += 1)
      expect(await refusal(`Bearer ${expiring.token}`)).toEqual([
        ...invalid,
        "This session has expired: sign in again.",
      ]);
    const { token: real } = expiring;
    const forged = `${real.slice(0, -9)}${real.at(-9) === "A" ? "B" : "A"}${real.slice(-8)}`;
    expect(await refusal(`Bearer ${forged}`)).toEqual([...invalid, expect.stringMatching(/^Sign in with/)]);
    const { data } = await app.request("POST", "/api/auth/login", {
      body: { email: user.email, password: user.password },
    });
    user = { ...user, token: String(data.token) };
  });

  test("a key in the address, and a key if a session is required", async () => {
    const { plaintext } = await madeKey();
    const { status, body } = await app.request("GET", `/api/estimations?key=${plaintext}`);
    expect([status, body.message]).toEqual([401, "Missing or invalid authorization header"]);
    expect(body.hint).toMatch(/rotate it/);
    expect(body.hint).not.toContain(plaintext);
    const needsSession = await refusal(`Bearer ${plaintext}`, "/api/api-keys");
    expect(needsSession).toEqual([403, "session_token_required", expect.stringMatching(/^API keys may not do this/)]);
  });
});

describe("the response for an id that is not found names the id,", () => {
  const none = (prefix: string) => `${prefix}_${"0".repeat(26)}`;

  test("if there are two", async () => {
    expect(await hintOf("GET", `${path}/versions/${none("ver")}`)).toBe(
      "`id` was found, but nothing in it by `versionId`.",
    );
    expect(await hintOf("GET", `/api/estimations/${none("est")}/versions/${none("ver")}`)).toBe(
      "Nothing that you may see has the id given as `id`.",
    );
    expect(await hintOf("GET", `/api/estimations/${none("est")}`)).toBeUndefined();
  });

  test("the same for records of others as for records that do not exist", async () => {
    const other = await app.signUp();
    const theirs = await send("GET", `${path}/versions/${none("ver")}`, undefined, other.token);
    expect(theirs.body.hint).toBe("Nothing that you may see has the id given as `id`.");
  });

  test("if it is of another kind", async () => {
    expect(await hintOf("PATCH", `${path}/tree/nodes/${option}`, { title: "x" })).toBe(
      "`nodeId` has to be the id of a node; this is one of an option.",
    );
    expect(await hintOf("GET", `/api/estimations/${node}`)).toBe(
      "`id` has to be the id of an estimation; this is one of a node.",
    );
    expect(await hintOf("GET", `/api/api-keys/${node}`)).toBe(
      "`id` has to be the id of an API key; this is one of a node.",
    );
  });
});

describe("the response for an invalid body has what is expected:", () => {
  test("a BOM and a decimal comma are named", async () => {
    expect(await hintOf("PUT", path, '\ufeff{"title":"x"}')).toMatch(/byte order mark/);
    const comma = "write numbers with a point, such as 1.5 instead of 1,5.";
    expect(await hintOf("PUT", path, '{"title":"1,5",\n"hourlyRate": 1,5}')).toBe(`Line 2: ${comma}`);
    expect(await hintOf("PUT", path, '{"hourlyRate": 1,50,"title":"x"}')).toBe(`Line 1: ${comma}`);
    expect(await hintOf("PUT", path, '{"tags": [1,5,}')).not.toContain("point");
    expect(await messageOf("PUT", path, { hourlyRate: "1,5" })).toMatch(
      /^must be a number.*, with a point: 1\.5, not "1,5"$/,
    );
  });

  test("the form of a text, and the values of a list", async () => {
    const key = { name: "CI", scopes: ["estimations:read"] };
    expect(await messageOf("POST", "/api/api-keys", { ...key, expiresAt: 1 })).toMatch(
      /^must be text: an RFC 3339 time/,
    );
    expect(await messageOf("PUT", path, { tags: "a" })).toBe("must be a list of texts");
  });

  test("a record in a field with its name", async () => {
    const hint = "Send the fields themselves, without `estimation` around them.";
    expect(await hintOf("POST", "/api/estimations", { estimation: { title: "Shop" } })).toBe(hint);
    expect(await hintOf("POST", "/api/estimations", { estimation: "Shop" })).toBeUndefined();
    expect(await hintOf("POST", "/api/estimations", { estimation: { title: "Shop" }, x: 1 })).toBeUndefined();
  });

  test("how to get a connection, and the most similar event", async () => {
    expect(await messageOf("POST", `${path}/tasks/export`, { target: "github", repository: "a/b" })).toBe(
      "is required: GET /api/connections lists yours, POST makes one",
    );
    const { body } = await send("POST", "/api/webhooks", {
      url: "https://hooks.example.com",
      events: ["estimation.aproved", "estimation_exported", "exported"],
    });
    const faults = body.errors as unknown as { suggestion?: string }[];
    expect(faults.map(({ suggestion }) => suggestion)).toEqual([
      "estimation.approved",
      "estimation.exported",
      "estimation.exported",
    ]);
  });
});
