import { describe, expect, test } from "vitest";
import { createClient, NotModified } from "../../contract/client/client.ts";
import { errorKeys } from "../../contract/errors.ts";
import { start } from "../harness.ts";

const app = await start();
const { token } = await app.signUp();
const created = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
const path = `/api/estimations/${created.data.estimation?.id}`;
const hintOf = async (method: string, url: string, options: Parameters<typeof app.request>[2] = {}) =>
  (await app.request(method, url, { token, ...options })).body.hint;

const QUOTES = 'put names and texts in double quotes, and write \\" for a double quote in a text.';
const FORM = 'Send JSON, such as {"name": "value"}, not the fields of a form.';

describe("a hint", () => {
  test("for a path with a slash at its end, and one without /api", async () => {
    expect(await hintOf("GET", "/api/estimations/")).toBe("Leave out the slash at the end of the path.");
    expect(await hintOf("GET", "/estimations")).toBe("Paths begin with /api: put it before this one.");
    expect(await hintOf("GET", "/api/")).toBe("There is nothing at this path itself: /docs lists all paths.");
    expect(await hintOf("GET", "/nowhere")).toBeUndefined();
  });

  test("for PUT if there is only PATCH, and for any other unsupported method", async () => {
    expect(await hintOf("PUT", `/api/webhooks/wh_${"0".repeat(26)}`)).toMatch(/^Use PATCH: /);
    expect(await hintOf("POST", path, { body: {} })).toContain("PUT");
  });

  test.each([
    [{}, "Send the header `Content-Type: application/json`."],
    [{ "content-type": "application/x-www-form-urlencoded" }, "Send the header `Content-Type: application/json`."],
    [{ "content-type": "application/json; charset=latin1" }, "Send the body in UTF-8."],
    [
      { "content-type": "application/json", "content-encoding": "gzip" },
      "Send the body uncompressed, without the header `Content-Encoding`.",
    ],
  ])("for a body of another type, such as curl's default: %j", async (headers, hint) => {
    const response = await fetch(app.url + path, {
      method: "PUT",
      body: new TextEncoder().encode('{"title":"x"}'),
      headers: { authorization: `Bearer ${token}`, ...(headers as Record<string, string>) },
    });
    expect([response.status, ((await response.json()) as { hint: string }).hint]).toEqual([415, hint]);
  });

  test("for an extra comma, with its line", async () => {
    expect(await hintOf("PUT", path, { body: '{\n  "title": "a, ]",\n}' })).toMatch(/^Line 2: /);
    expect(await hintOf("PUT", path, { body: '{"tags": ["a",]}' })).toMatch(/^Line 1: /);
    expect(await hintOf("PUT", path, { body: '{"title": "a,}"}' })).toBeUndefined();
  });

  test("for other faults of JSON, with their line, without repeating the body", async () => {
    for (const [body, hint] of [
      ["{\n 'title': 1}", "Line 2: put names and texts in double quotes, not in single ones."],
      ["{\n title: 1}", `Line 2: ${QUOTES}`],
      ['{"title": "say "hello" now"}', `Line 1: ${QUOTES}`],
      ['{"a": 1e5,\n "b": secret}', `Line 2: ${QUOTES}`],
      ['{"a": true,\n "b": True}', "Line 2: write true, not True."],
      ['{"a": False}', "Line 1: write false, not False."],
      ['{"a": [1, None]}', "Line 1: write null, not None."],
      ['{"a": NaN}', "Line 1: JSON has no NaN: write a number or null."],
      ['{"a": -Infinity}', "Line 1: JSON has no Infinity: write a number or null."],
      ['{"a": undefined}', "Line 1: JSON has no undefined: write null, or leave the field out."],
      ['{"a": "it\'s True", // why\n "b": 1}', "Line 1: JSON has no comments."],
      ["title=Shop&tags=secret", FORM],
      ["title=", FORM],
      ['{"a": "it\'s\n True"}', "Line 1: Bad control character in string literal."],
      ['{"title": "secret"\n\n "tags": []}', "Line 3: Expected ',' or '}' after property value."],
      ['{"title": "secret\n"}', "Line 1: Bad control character in string literal."],
      ['{"tags": [', "The body ends before its JSON does."],
      ['{"title": "secret"', "The body ends before its JSON does."],
      ['{"title": !}', undefined],
      [`{"a": "${"x".repeat(70_000)}", "b": True}`, undefined],
      [`{"a": [${"0,".repeat(32_764)}true], ! }`, undefined],
    ])
      expect(await hintOf("PUT", path, { body }), body).toBe(hint);
  });
});

test("every error links to its place in the reference", async () => {
  const { text } = await app.request("GET", "/docs");
  for (const key of errorKeys) expect(text).toContain(`id="error-${key}"`);
  const { body } = await app.request("GET", "/nowhere");
  expect(body.docUrl).toBe(`${app.services.config.baseUrl}/docs#error-not_found`);
});

describe("entity tags", () => {
  test("that proxies made weak or marked as compressed are compared by their value", async () => {
    for (const tag of ['W/"N"', '"N-gzip"', 'W/"N--gzip"', '"N;br"', '"0", W/"N"']) {
      const etag = (await app.request("GET", path, { token })).headers.get("etag")?.replaceAll('"', "") ?? "";
      const headers = { "if-match": tag.replace("N", etag) };
      expect((await app.request("PUT", path, { token, body: { title: tag }, headers })).status, tag).toBe(200);
    }
  });

  test("without quotes are refused, and nothing is changed", async () => {
    for (const [tag, suggestion] of [
      ["6", '"6"'],
      ["W/6", '"6"'],
      ["1-editor", '"1-editor"'],
      ["6-gzip", '"6"'],
      ["W/6--gzip", '"6"'],
      ["x", undefined],
      ['"6', undefined],
      ["", undefined],
    ] as const) {
      const headers = { "if-match": tag };
      const { status, body } = await app.request("PUT", path, { token, body: { title: "lost" }, headers });
      expect(body.hint).toMatch(/double quotes/);
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.suggestion], tag).toEqual([
        400,
        "/if-match",
        suggestion,
      ]);
    }
  });

  test.each(["", "/tree", "/tree/hours"])("cause 304 if the client has that revision: %s", async (below) => {
    const etag = (await app.request("GET", path + below, { token })).headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, "*", `"0", ${etag}`]) {
      const same = await app.request("GET", path + below, { token, headers: { "if-none-match": known } });
      expect([same.status, same.text, same.headers.get("etag")], known).toEqual([304, "", etag]);
    }
    const other = await app.request("GET", path + below, { token, headers: { "if-none-match": '"0"' } });
    expect([other.status, other.body.success]).toEqual([200, true]);
  });
});

test("the typed client reports that a record has not changed", async () => {
  const client = createClient(app.url, () => token);
  const params = { id: String(created.data.estimation?.id) };
  const { headers } = await client.getEstimation({ params });
  const tag = headers.get("etag") ?? "";
  const again = client.getEstimation({ params, headers: { "If-None-Match": tag } });
  await expect(again).rejects.toBeInstanceOf(NotModified);
  await expect(again).rejects.toMatchObject({ headers: expect.any(Headers) });
  const changed = await client.getEstimation({ params, headers: { "If-None-Match": '"0"' } });
  expect(changed.data.estimation.id).toBe(params.id);
});
