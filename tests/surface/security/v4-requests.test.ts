import { expect, test } from "vitest";
import { start } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { makeWorld, sampleConfig } from "../samples.ts";
import { accountCalls } from "./account.ts";
import { sendBytes, sendRaw } from "./raw-request.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const { logIn } = accountCalls(app);
const world = await makeWorld(app);
const other = await makeWorld(app);
const { token } = world.user;
const estimation = `/api/estimations/${world.estimation}`;
const bearer = (credential: string) => ["authorization", `Bearer ${credential}`] as const;

test("V2.4.1 requests are limited per user and per address, and a refused one does nothing", async () => {
  const small = await start({ config: { rateLimitPerMinute: 4 } });
  const user = await small.signUp();
  const key = await small.makeKey(user, ["estimations:write"]);
  const create = (credential?: string) =>
    small.request("POST", "/api/estimations", {
      body: { title: "x" },
      ...(credential === undefined ? {} : { token: credential }),
    });
  const seen: Record<string, number[]> = { session: [], key: [], address: [] };
  for (let at = 0; at < 5; at += 1) {
    seen.session?.push((await create(user.token)).status);
    seen.key?.push((await create(key)).status);
    seen.address?.push((await create()).status);
  }
  // Making the key was the user's first request, and signing up the address's.
  expect(seen).toEqual({
    session: [201, 201, 429, 429, 429],
    key: [201, 429, 429, 429, 429],
    address: [401, 401, 401, 429, 429],
  });
  expect((await small.pool.query("select 1 from estimations")).rowCount).toBe(3);
});

test("V3.4.2 no other origin is allowed, and no preflight request succeeds", async () => {
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

test("V3.5.2 a form on another site has no effect: a body must be declared as JSON, whatever it contains", async () => {
  const body = JSON.stringify({ email: world.user.email, password: world.user.password });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    const { status, text } = await sendRaw(app, "POST", "/api/auth/login", [["content-type", type]], body);
    expect([status, JSON.parse(text).message], type).toEqual([415, "unsupported_media_type"]);
  }
  const untyped = await sendRaw(app, "POST", "/api/auth/login", [], body);
  expect(untyped.status).toBe(415);
});

test("V4.1.3 no client can choose its address in the audit log", async () => {
  const headers = { "x-forwarded-for": "203.0.113.66", forwarded: "for=203.0.113.66", "x-real-ip": "203.0.113.66" };
  const user = await app.signUp();
  await logIn(user.email, user.password, headers);
  const { data } = await app.request("GET", "/api/audit-log?limit=1", { token: user.token });
  expect(data.events?.[0]).toMatchObject({ event: "session.created", ip: "127.0.0.1" });
});

test("V4.1.4 only the declared methods of a path are accepted; the others do nothing", async () => {
  // POST and PATCH are offered by other paths, not by this one.
  for (const method of ["POST", "PATCH"]) {
    const { status } = await sendRaw(app, method, `${estimation}/tree/hours`, [bearer(token)]);
    expect(status, method).toBe(405);
  }
  await changesNothing(app, async () => {
    for (const method of ["TRACE", "OPTIONS", "MKCOL", "PROPFIND", "SEARCH", "LOCK"]) {
      const { status, headers, text } = await sendRaw(app, method, estimation, [bearer(token)]);
      expect([404, 405], method).toContain(status);
      if (status === 405) expect(headers.allow, method).toContain("GET");
      expect(text, method).not.toContain(token);
    }
  });
});

test("V4.1.4 a method in a header, a query or a form does not replace the real one", async () => {
  await changesNothing(app, async () => {
    for (const name of ["x-http-method-override", "x-http-method", "x-method-override"]) {
      const overridden = await sendRaw(app, "POST", estimation, [bearer(token), [name, "DELETE"]]);
      expect(overridden.status, name).toBe(405);
      const read = await sendRaw(app, "GET", estimation, [bearer(token), [name, "DELETE"]]);
      expect([read.status, JSON.parse(read.text).data.estimation.id], name).toEqual([200, world.estimation]);
    }
    const inQuery = await sendRaw(app, "POST", `${estimation}?_method=DELETE`, [bearer(token)]);
    expect(inQuery.status).toBe(405);
  });
});

test("V4.1.4 HEAD requires the same credential as GET", async () => {
  const key = await app.makeKey(world.user, []);
  for (const path of ["/api/auth/me", "/api/estimations", "/api/api-keys", estimation]) {
    expect((await sendRaw(app, "HEAD", path)).status, path).toBe(401);
    if (path !== "/api/auth/me") expect((await sendRaw(app, "HEAD", path, [bearer(key)])).status, path).toBe(403);
  }
  expect((await sendRaw(app, "HEAD", estimation, [bearer(other.user.token)])).status).toBe(404);
});

test("V4.2.1 a request with two contradicting lengths is refused, and a request hidden in it never runs", async () => {
  const hidden = `DELETE ${estimation} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const framings = [
    `Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding: chunked\r\nContent-Length: ${hidden.length}\r\n\r\n0\r\n\r\n${hidden}`,
    `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
  ];
  await changesNothing(app, async () => {
    for (const framing of framings) {
      const response = await sendBytes(app, `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\n${framing}`);
      expect(response, framing).toMatch(/^HTTP\/1\.1 400 /);
      expect(response.match(/HTTP\/1\.1 /g), framing).toHaveLength(1);
    }
  });
});

test("V13.4.4 TRACE echoes nothing", async () => {
  for (const path of ["/", "/api/auth/me", "/healthz", "/docs"]) {
    const { status, text } = await sendRaw(app, "TRACE", path, [bearer(token), ["cookie", "secret=1"]]);
    expect([404, 405], path).toContain(status);
    expect(text, path).not.toMatch(/Bearer|secret=1/);
  }
});

test("V13.4.6 responses name neither the software of the service nor its version", async () => {
  const paths = ["/", "/api/auth/me", "/api/nowhere", "/api/%zz", "/healthz"];
  for (const path of paths) {
    const { headers, text } = await sendRaw(app, "GET", path);
    expect([headers.server, headers["x-powered-by"], headers.via], path).toEqual([undefined, undefined, undefined]);
    expect(text, path).not.toMatch(/fastify|node|postgres|drizzle|jose/i);
  }
});
