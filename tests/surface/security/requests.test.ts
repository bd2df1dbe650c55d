import { expect, test } from "vitest";
import { start } from "../../harness.ts";
import { makeWorld, sampleConfig } from "../samples.ts";
import { accountCalls } from "./account.ts";
import { sendBytes, sendRaw } from "./raw-request.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const { me } = accountCalls(app);
const world = await makeWorld(app);
const other = await makeWorld(app);
const { token } = world.user;
const estimation = `/api/estimations/${world.estimation}`;
const bearer = (credential: string) => ["authorization", `Bearer ${credential}`] as const;

test("no other origin is allowed, and no preflight request succeeds (V3.4.2)", async () => {
  const origin = ["origin", "https://evil.example"] as const;
  const read = await sendRaw(app, "GET", "/api/auth/me", [bearer(token), origin]);
  const preflight = await sendRaw(app, "OPTIONS", "/api/estimations", [
    origin,
    ["access-control-request-method", "POST"],
    ["access-control-request-headers", "authorization"],
  ]);
  expect([read.status, preflight.status]).toEqual([200, 405]);
  for (const { headers } of [read, preflight])
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
});

test("only the declared methods of a path are accepted; the others do nothing (V4.1.4)", async () => {
  // POST and PATCH are offered by other paths, not by this one.
  for (const method of ["POST", "PATCH"]) {
    const { status } = await sendRaw(app, method, `${estimation}/tree/hours`, [bearer(token)]);
    expect(status, method).toBe(405);
  }
  for (const method of ["TRACE", "OPTIONS", "MKCOL", "PROPFIND", "SEARCH", "LOCK"]) {
    const { status, headers, text } = await sendRaw(app, method, estimation, [bearer(token)]);
    expect([404, 405], method).toContain(status);
    if (status === 405) expect(headers.allow, method).toContain("GET");
    expect(text, method).not.toContain(token);
  }
});

test("a method in a header, a query or a form does not replace the real one (V4.1.4)", async () => {
  for (const name of ["x-http-method-override", "x-http-method", "x-method-override"]) {
    const overridden = await sendRaw(app, "POST", estimation, [bearer(token), [name, "DELETE"]]);
    expect(overridden.status, name).toBe(405);
    const read = await sendRaw(app, "GET", estimation, [bearer(token), [name, "DELETE"]]);
    expect([read.status, JSON.parse(read.text).data.estimation.id], name).toEqual([200, world.estimation]);
  }
  const inQuery = await sendRaw(app, "POST", `${estimation}?_method=DELETE`, [bearer(token)]);
  expect(inQuery.status).toBe(405);
});

test("HEAD requires the same credential as GET (V4.1.4)", async () => {
  const key = await app.makeKey(world.user, []);
  for (const path of ["/api/auth/me", "/api/estimations", "/api/api-keys", estimation]) {
    expect((await sendRaw(app, "HEAD", path)).status, path).toBe(401);
    if (path !== "/api/auth/me") expect((await sendRaw(app, "HEAD", path, [bearer(key)])).status, path).toBe(403);
  }
  expect((await sendRaw(app, "HEAD", estimation, [bearer(other.user.token)])).status).toBe(404);
});

test("a request with two contradicting lengths is refused, and a request hidden in it never runs (V4.2.1)", async () => {
  const hidden = `DELETE ${estimation} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const framings = [
    `Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding: chunked\r\nContent-Length: ${hidden.length}\r\n\r\n0\r\n\r\n${hidden}`,
    `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
  ];
  for (const framing of framings) {
    const response = await sendBytes(app, `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\n${framing}`);
    expect(response, framing).toMatch(/^HTTP\/1\.1 400 /);
    expect(response.match(/HTTP\/1\.1 /g), framing).toHaveLength(1);
  }
});

test("TRACE echoes nothing (V13.4.4)", async () => {
  for (const path of ["/", "/api/auth/me", "/healthz", "/docs"]) {
    const { status, text } = await sendRaw(app, "TRACE", path, [bearer(token), ["cookie", "secret=1"]]);
    expect([404, 405], path).toContain(status);
    expect(text, path).not.toMatch(/Bearer|secret=1/);
  }
});

test("responses name neither the software of the service nor its version (V13.4.6)", async () => {
  const paths = ["/", "/api/auth/me", "/api/nowhere", "/api/%zz", "/healthz"];
  for (const path of paths) {
    const { headers, text } = await sendRaw(app, "GET", path);
    expect([headers.server, headers["x-powered-by"], headers.via], path).toEqual([undefined, undefined, undefined]);
    expect(text, path).not.toMatch(/fastify|node|postgres|drizzle|jose/i);
  }
});

test("a session token counts only in the Authorization header: not in a query, a cookie, a body or another header (V7.2.1)", async () => {
  const { token } = await app.signUp();
  const path = "/api/auth/me";
  for (const name of ["access_token", "token", "authorization", "jwt"])
    expect((await app.request("GET", `${path}?${name}=${token}`)).status, name).toBe(401);
  for (const name of ["token", "session", "access_token", "Authorization", "__Host-google-sign-in"])
    expect((await app.request("GET", path, { headers: { cookie: `${name}=${token}` } })).status, name).toBe(401);
  for (const name of ["x-access-token", "x-auth-token", "x-api-key", "proxy-authorization"])
    expect((await app.request("GET", path, { headers: { [name]: `Bearer ${token}` } })).status, name).toBe(401);
  const body = { access_token: token, token };
  expect((await app.request("POST", "/api/auth/logout", { body })).status).toBe(401);
  expect((await me(token)).status).toBe(200);
});

test("credentials of another type are refused, never compared (V15.3.5)", async () => {
  const { email, password } = world.user;
  const odd: unknown[] = [null, true, 0, [password], { $ne: null }, { $gt: "" }, { toString: password }];
  for (const wrong of odd) {
    for (const body of [
      { email, password: wrong },
      { email: wrong, password },
    ])
      expect((await app.request("POST", "/api/auth/login", { body })).status, JSON.stringify(body)).toBe(400);
    const spent = await app.request("POST", "/api/auth/reset-password", { body: { token: wrong, password } });
    expect(spent.status).toBe(400);
    const code = await app.request("POST", "/api/auth/exchange", { body: { code: wrong } });
    expect(code.body.code).toBe("INVALID_EXCHANGE_CODE");
  }
});

test("`__proto__` and `constructor` in a body or a query change no object and give no rights (V15.3.6)", async () => {
  const bodies = [
    '{"name":"x","__proto__":{"scopes":["admin"],"isAdmin":true}}',
    '{"name":"x","constructor":{"prototype":{"scopes":["admin"]}}}',
    '{"name":"x","__proto__":null}',
    '{"__proto__":{"name":"x"}}',
  ];
  const key = await app.makeKey(world.user, []);
  for (const body of bodies) {
    expect((await app.request("PATCH", "/api/auth/me", { token, body })).status, body).toBe(400);
    expect((await app.request("POST", "/api/api-keys", { token, body })).status, body).toBe(400);
  }
  for (const query of ["__proto__[scopes]=admin", "__proto__=admin", "constructor.prototype.scopes=admin"])
    expect((await app.request("GET", `/api/estimations?${query}`, { token })).status, query).toBe(400);
  await app.request("GET", "/api/auth/google/callback?__proto__=1&__proto__[isAdmin]=1&state=x");
  expect(["scopes", "isAdmin", "name"].filter((name) => name in {})).toEqual([]);
  expect((await app.request("GET", "/api/estimations", { token: key })).status).toBe(403);
});

test("of a repeated field the value that is checked is the one that is used (V15.3.7)", async () => {
  const user = await app.signUp();
  const send = (body: string) => app.request("POST", "/api/api-keys", { token: user.token, body });
  expect((await send('{"name":"x","scopes":[],"scopes":["everything"]}')).status).toBe(400);
  const made = await send('{"name":"x","scopes":["admin"],"scopes":[]}');
  expect([made.status, made.data.apiKey?.scopes]).toEqual([201, []]);
  expect((await app.request("GET", "/api/estimations", { token: String(made.data.plaintext) })).status).toBe(403);
});

test("a repeated query parameter, or a body's field in the query, is refused (V15.3.7)", async () => {
  for (const query of ["limit=1&limit=100", "tag=a&tag=b", "title=x", "ownerId=x"])
    expect((await app.request("GET", `/api/estimations?${query}`, { token })).status, query).toBe(400);
  const { email, password } = world.user;
  const inQuery = await app.request("POST", `/api/auth/login?email=${email}&password=${password}`);
  expect(inQuery.status).toBe(400);
});

test("of two Authorization headers only the first counts; they are never mixed (V15.3.7)", async () => {
  const ask = (...headers: (readonly [string, string])[]) => sendRaw(app, "GET", "/api/auth/me", headers);
  expect((await ask(bearer("nonsense"), bearer(token))).status).toBe(401);
  expect((await ask(["authorization", "Basic dXNlcjpwYXNz"], bearer(token))).status).toBe(401);
  const both = await ask(bearer(token), bearer(other.user.token));
  expect(JSON.parse(both.text).data.user.id).toBe(world.user.userId);
  for (const line of [`Bearer ${token}, Bearer ${other.user.token}`, `Bearer ${token} ${token}`, `Bearer${token}`])
    expect((await ask(["authorization", line])).status, line).toBe(401);
});

test("header names and the scheme are case-insensitive, and no other deviation is accepted (V15.3.7)", async () => {
  const ask = (name: string, value: string) => sendRaw(app, "GET", "/api/auth/me", [[name, value]]);
  for (const name of ["authorization", "Authorization", "AUTHORIZATION"])
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      expect((await ask(name, `${scheme} ${token}`)).status, name + scheme).toBe(200);
  const key = await app.makeKey(world.user, []);
  for (const value of [token, `Token ${token}`, `Bearer "${token}"`, `Bearer ${key.toUpperCase()}`, `Bearer ${key}x`])
    expect((await ask("authorization", value)).status, value).toBe(401);
});

test("no response under /api may be stored by caches, also where there is no endpoint (V14.3.2)", async () => {
  for (const path of ["/api/nowhere", "/api/%zz", "/api/auth/me", "/api/auth/google"]) {
    const { headers } = await sendRaw(app, "GET", path);
    expect(headers["cache-control"], path).toBe("no-store");
  }
});
