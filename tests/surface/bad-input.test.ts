import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { start, until } from "../harness.ts";

const app = await start();
const user = await app.signUp();
const { token } = user;
const created = await app.request("POST", "/api/estimations", { token, body: { title: "Steady" } });
const path = `/api/estimations/${created.data.estimation?.id}`;

const put = (body: unknown, headers: Record<string, string> = {}) => app.request("PUT", path, { token, body, headers });
const putTree = (body: unknown) => app.request("PUT", `${path}/tree`, { token, body });

/** Sends bytes unchanged and reads the response until the server closes the connection. */
const raw = (bytes: string): Promise<string> => rawTo(app.url, bytes);

function rawTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

describe("a name or a title", () => {
  const invisible = "\u200b\u2060\u00ad\u3164\ufeff ";
  test.each([
    [
      "POST",
      "/api/auth/register",
      { email: "unseen@example.com", password: "correct horse battery", name: invisible },
      "/name",
    ],
    ["POST", "/api/estimations", { title: invisible }, "/title"],
    ["PUT", path, { title: invisible }, "/title"],
    ["POST", `${path}/tree/nodes`, { title: invisible, kind: "group" }, "/title"],
    ["POST", "/api/api-keys", { name: invisible, scopes: [] }, "/name"],
    ["POST", "/api/estimations/import", { format: "outline", content: `# Shop\n\n- ${invisible}\n` }, undefined],
  ])("of invisible characters is refused: %s %s", async (method, at, body, field) => {
    const response = await app.request(method, at, { token, body });
    expect([response.status, response.body.message]).toEqual([400, "validation_failed"]);
    if (field) expect(response.body.errors).toMatchObject([{ path: field, code: "blank" }]);
  });

  test("may contain some if it also has a visible one", async () => {
    const title = "\u200ba";
    expect((await put({ title })).data.estimation?.title).toBe(title);
  });
});

test("a refusal with 501 is logged, without a stack trace", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "error" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const logging = await start({ log });
  await rawTo(
    logging.url,
    "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  );
  expect(lines).toMatchObject([{ msg: "transfer_coding_unknown", path: "/api/auth/login" }]);
  expect(lines[0]).not.toHaveProperty("err");
});

describe("invalid bodies", () => {
  const wrong: [string, unknown, string][] = [
    ["a bare word", "undefined", "invalid_json"],
    ["JSON with a comment", '{"title":"x"} // y', "invalid_json"],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0x74, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), "invalid_json"],
    ["a cut off character", Buffer.from('{"title":"caf\xc3"}', "latin1"), "invalid_json"],
    ["a byte order mark", Buffer.from('\ufeff{"title":"x"}'), "invalid_json"],
    ["a NUL character", '{"title":"a\\u0000b"}', "validation_failed"],
    ["half a surrogate pair", '{"title":"a\\ud800b"}', "validation_failed"],
    ["a number beyond all", '{"hourlyRate":1e309}', "validation_failed"],
    ["a negative number beyond all", '{"hourlyRate":-1e309}', "validation_failed"],
  ];
  test.each(wrong)("%s is refused and changes nothing", async (_, body, message) => {
    const response = await put(body);
    expect([response.status, response.body.message]).toEqual([400, message]);
    if (message === "validation_failed") expect(response.body.errors?.[0]?.path).toBeDefined();
  });

  test("each fault has one row, with its place", async () => {
    const response = await put({ title: "", hourlyRate: -1, currency: "x", extra: 1 });
    expect(response.body.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: "/extra", code: "unknown_field", expected: expect.arrayContaining(["title"]) }),
        expect.objectContaining({ path: "/title" }),
        expect.objectContaining({ path: "/hourlyRate" }),
        expect.objectContaining({ path: "/currency" }),
      ]),
    );
  });

  test("nesting is accepted up to the limit and not beyond", async () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect((await put(nested(limits.bodyDepth))).body.errors?.[0]?.message).toBe("must be an object");
    expect((await put(nested(limits.bodyDepth + 1))).body.errors?.[0]?.message).toContain("nest");
  });
});

describe("the size of a body", () => {
  const padded = (bytes: number, body: string) => body + " ".repeat(bytes - body.length);

  test("is accepted up to 1 MiB and refused one byte beyond", async () => {
    expect((await put(padded(limits.bodyBytes, '{"title":"Steady"}'))).status).toBe(200);
    const response = await put(padded(limits.bodyBytes + 1, '{"title":"Big"}'));
    expect([response.status, response.body.message]).toEqual([413, "payload_too_large"]);
    expect(response.body.details?.limitBytes).toBe(limits.bodyBytes);
  });

  test("of a whole tree is accepted up to 16 MiB and refused one byte beyond", async () => {
    expect((await putTree(padded(limits.treeBodyBytes, '{"nodes":[]}'))).status).toBe(200);
    const response = await putTree(padded(limits.treeBodyBytes + 1, '{"nodes":[]}'));
    expect([response.status, response.body.message]).toEqual([413, "payload_too_large"]);
  });

  test("is limited even if no length is announced", async () => {
    const chunk = "20000\r\n".concat(" ".repeat(0x20000), "\r\n");
    const head = `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    expect(await raw(`${head}${chunk.repeat(9)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 [\s\S]*payload_too_large/);
  });
});

describe("the media type of a body", () => {
  test.each([
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "nonsense",
  ])("%s is refused (V3.5.2)", async (type) => {
    const response = await put('{"title":"x"}', { "content-type": type });
    expect([response.status, response.body.message]).toEqual([415, "unsupported_media_type"]);
  });

  test("JSON that is not declared as such is refused (V3.5.2)", async () => {
    const body = '{"title":"x"}';
    const head = `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
    expect(await raw(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 415 /);
  });

  test("JSON with a character set is accepted too", async () => {
    for (const charset of ["charset=utf-8", 'charset="UTF-8"', "Charset=utf8"]) {
      const response = await put('{"title":"Steady"}', { "content-type": `application/json; ${charset}` });
      expect(response.status, charset).toBe(200);
    }
    expect((await put('{"title":"Steady"}', { "content-encoding": "identity" })).status).toBe(200);
  });

  test.each([
    ["another character set", { "content-type": "application/json; charset=iso-8859-1" }],
    ["a quoted other character set", { "content-type": 'application/json; charset="utf-16"' }],
    ["a second character set", { "content-type": "application/json; charset=utf-8; charset=latin1" }],
    ["an empty character set", { "content-type": "application/json; charset=" }],
    ["compression", { "content-encoding": "gzip" }],
    ["compression in two steps", { "content-encoding": "identity, BR" }],
    ["an unknown coding", { "content-encoding": "x" }],
  ])("JSON in %s is refused", async (_, headers) => {
    const response = await put('{"title":"x"}', headers as Record<string, string>);
    expect([response.status, response.body.message]).toEqual([415, "unsupported_media_type"]);
  });

  test("JSON that is compressed is refused", async () => {
    const response = await put(gzipSync('{"title":"x"}'), { "content-encoding": "gzip" });
    expect([response.status, response.body.message]).toEqual([415, "unsupported_media_type"]);
  });

  test.each(["application/json", "text/plain", "nonsense", ""])(
    "an empty body counts as absent under %j",
    async (type) => {
      const headers: Record<string, string> = type ? { "content-type": type } : {};
      const renewed = await app.request("POST", "/api/auth/renew", { token, headers });
      expect(renewed.status).toBe(200);
      const absent = await app.request("PUT", path, { token, headers });
      expect([absent.status, absent.body.errors?.[0]?.message]).toEqual([400, "a JSON body is required"]);
    },
  );

  test("an endpoint without a body accepts only an empty one", async () => {
    expect((await app.request("POST", "/api/auth/renew", { token, body: {} })).status).toBe(200);
    expect((await app.request("POST", "/api/auth/renew", { token, body: { hours: 2 } })).status).toBe(400);
  });
});

describe("malformed requests", () => {
  const enveloped = (status: number, message: string) =>
    new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"success":false,"message":"${message}"`);

  test.each([
    ["no HTTP", "HELLO\r\n\r\n", 400, "bad_request"],
    ["a header without a name", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n: y\r\n\r\n", 400, "bad_request"],
    [
      "headers beyond their limit",
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(limits.headerBytes + 1)}\r\n\r\n`,
      431,
      "header_fields_too_large",
    ],
    [
      "a path that cannot be decoded",
      "GET /api/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      400,
      "bad_request",
    ],
    ["HTTP/1.1 without a host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad_request"],
    ["an unknown path without a host", "GET /api/nothing HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad_request"],
    [
      "another transfer coding",
      "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      501,
      "transfer_coding_unknown",
    ],
    [
      "a transfer coding without chunks",
      "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
      400,
      "bad_request",
    ],
    [
      "chunks with too long extensions",
      `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1;${"y".repeat(20_000)}\r\n`,
      413,
      "payload_too_large",
    ],
    [
      "a path that is not UTF-8",
      "GET /api/%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      400,
      "bad_request",
    ],
  ])("%s gets an error in the envelope with the security headers", async (_, bytes, status, message) => {
    const text = await raw(bytes);
    expect(text).toMatch(enveloped(Number(status), String(message)));
    expect(text.toLowerCase()).toContain("x-content-type-options: nosniff");
    const { requestId } = JSON.parse(text.slice(text.indexOf("{")));
    expect(text.toLowerCase()).toContain(`x-request-id: ${requestId}`);
  });

  test.each([
    ["HTTP/1.0 without a host", "GET /healthz HTTP/1.0\r\n\r\n"],
    [
      "an offer of another protocol",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
    ],
  ])("%s is served", async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("after invalid HTTP the sender cannot keep the connection open", async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let gone = false;
    socket.on("error", () => {
      gone = true;
    });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.write("HELLO\r\n\r\n");
    await once(socket, "end");
    await until(() => {
      if (!gone) socket.write("more\r\n\r\n");
      return gone;
    });
    expect(text.match(/"message":"bad_request"/g)).toHaveLength(1);
  });

  test.each([
    "/api/estimations?q=%ff",
    "/api/estimations?q=%",
    "/api/estimations?%c3%28=1",
    "/api/estimations?q=%E0%A4",
  ])("%s cannot be decoded and is refused", async (url) => {
    const response = await app.request("GET", url, { token });
    expect([response.status, response.body.message]).toEqual([400, "validation_failed"]);
  });

  test("a client that waits for 100 Continue gets it", async () => {
    const body = '{"title":"Steady"}';
    const head = `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const rest = `Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n${body}`;
    expect(await raw(head + rest)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test.each([
    ["GET", "/api/nothing", 404],
    ["GET", "/api", 404],
    ["GET", "/API/estimations", 404],
    ["PROPFIND", "/api/nothing", 404],
    ["PATCH", "/api/estimations", 405],
    ["POST", "/api/openapi.json", 405],
    ["PROPFIND", "/api/estimations", 405],
    ["DELETE", "/api/auth/login", 405],
    ["PUT", "/healthz", 405],
  ])("%s %s gets %i before any credential or body is read", async (method, url, status) => {
    const response = await app.request(method, url, {
      body: "{ no json" === url ? undefined : method === "GET" ? undefined : "{ no json",
    });
    expect([response.status, response.body.message]).toEqual([
      status,
      status === 404 ? "not_found" : "method_not_allowed",
    ]);
    expect(response.headers.has("allow")).toBe(status === 405);
  });

  test("the methods of a path are listed", async () => {
    expect((await app.request("PATCH", "/api/estimations")).headers.get("allow")).toBe("GET, HEAD, POST");
    expect((await app.request("POST", path)).headers.get("allow")).toBe("DELETE, GET, HEAD, PATCH, PUT");
  });
});

describe("an upload that breaks off", () => {
  const lines: { level: number; msg: string; err?: { code?: string } }[] = [];
  const sink = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const brokenOff = () => until(() => lines.some(({ msg }) => msg === "the request broke off"));
  const head = (framing: string) =>
    `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;

  test("is logged at the debug level, and not treated as an outage of the database", async () => {
    const other = await start({ log: pino({ level: "debug" }, sink) });
    const { hostname, port } = new URL(other.url);
    for (const end of ["destroy", "resetAndDestroy", "end"] as const) {
      lines.length = 0;
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {}).resume();
      socket.write(`${head("Content-Length: 100\r\nExpect: 100-continue")}{"email":`);
      // The server asks for the body once it has read the head.
      await once(socket, "data");
      socket[end]();
      await brokenOff();
      expect(lines.filter(({ level }) => level > 20)).toEqual([]);
      socket.destroy();
    }
    lines.length = 0;
    const response = await rawTo(other.url, `${head("Transfer-Encoding: chunked")}5\r\n{"ema\r\nnonsense\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*"message":"bad_request"/);
    await brokenOff();
    expect(lines.filter(({ level }) => level > 20)).toEqual([]);
    expect((await other.request("GET", "/healthz")).status).toBe(200);
  });
});

describe("headers", () => {
  test("a request id is returned; an invalid one is replaced", async () => {
    for (const id of ["abc-123", "a".repeat(128)]) {
      expect(
        (await app.request("GET", "/healthz", { headers: { "x-request-id": id } })).headers.get("x-request-id"),
      ).toBe(id);
    }
    for (const id of ["a".repeat(129), "a b", "<script>"]) {
      const response = await app.request("GET", "/api/nothing", { headers: { "x-request-id": id } });
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.body.requestId).toBe(response.headers.get("x-request-id"));
    }
  });

  test.each(["/api/estimations", "/api/nothing", "/healthz", "/docs", "/api/openapi.json"])(
    "%s has the security headers",
    async (url) => {
      const { headers } = await app.request("GET", url);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      if (url.startsWith("/api/")) expect(headers.get("cache-control")).toBe("no-store");
    },
  );
});
