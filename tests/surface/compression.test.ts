import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createClient } from "../../contract/client/client.ts";
import { COMPRESSED_BYTES } from "../../server/http/response/compress.ts";
import { start } from "../harness.ts";

const app = await start();
const { token, email, password } = await app.signUp();
const created = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
const path = `/api/estimations/${created.data.estimation?.id}`;
await app.request("PATCH", path, { token, body: { description: "A response of some length. ".repeat(100) } });

interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Sends a request and returns the response with its bytes as they were sent. */
function raw(method: string, url: string, headers: Record<string, string>, body = ""): Promise<Raw> {
  const { hostname, port } = new URL(app.url);
  const head = Object.entries({ host: hostname, connection: "close", "content-length": body.length, ...headers });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      socket.write(`${method} ${url} HTTP/1.1\r\n${lines}\r\n${body}`);
    });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf("\r\n\r\n");
      const [first = "", ...lines] = all.subarray(0, end).toString().split("\r\n");
      const pairs = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
      resolve({ status: Number(first.split(" ")[1]), headers: new Headers(pairs), body: all.subarray(end + 4) });
    });
  });
}

const authorization = `Bearer ${token}`;
const get = (url: string, headers: Record<string, string> = {}) => raw("GET", url, { authorization, ...headers });
const readers = { gzip: gunzipSync, br: brotliDecompressSync };

describe("a response is compressed", () => {
  test.each(["gzip", "br"] as const)("with %s if the client asks for it, with the same content", async (coding) => {
    const plain = await get(path);
    const { status, headers, body } = await get(path, { "accept-encoding": coding });
    expect([status, headers.get("content-encoding"), headers.get("vary")]).toEqual([200, coding, "Accept-Encoding"]);
    expect(headers.get("content-length")).toBe(String(body.length));
    expect(body.length).toBeLessThan(plain.body.length / 2);
    expect(readers[coding](body)).toEqual(plain.body);
    expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([null, "Accept-Encoding"]);
  });

  test("from 1 KiB on", async () => {
    const sizes: number[] = [];
    const ask = async (length: number) => {
      await app.request("PATCH", path, { token, body: { clientName: null, description: "x".repeat(length) } });
      const plain = await get(path);
      sizes.push(plain.body.length);
      return (await get(path, { "accept-encoding": "gzip" })).headers.get("content-encoding");
    };
    await ask(100);
    const missing = COMPRESSED_BYTES - (sizes[0] ?? 0) + 100;
    expect([await ask(missing - 1), await ask(missing)]).toEqual([null, "gzip"]);
    expect(sizes.slice(1)).toEqual([COMPRESSED_BYTES - 1, COMPRESSED_BYTES]);
  });

  test("also for an error, the page of the reference, and the description", async () => {
    const bad = JSON.stringify({ tags: Array.from({ length: 15 }, () => 5) });
    const headers = { authorization, "content-type": "application/json", "accept-encoding": "gzip" };
    const refused = await raw("PUT", path, headers, bad);
    expect([refused.status, refused.headers.get("content-encoding")]).toEqual([400, "gzip"]);
    expect(JSON.parse(gunzipSync(refused.body).toString()).message).toBe("validation_failed");
    for (const url of ["/docs", "/api/openapi.json"]) {
      const { headers, body } = await get(url, { "accept-encoding": "br" });
      expect([url, headers.get("content-encoding")]).toEqual([url, "br"]);
      expect(brotliDecompressSync(body)).toEqual((await get(url)).body);
    }
  });

  test("also if it is large", async () => {
    const options = Array.from({ length: 40 }, () => ({ title: "x", description: "y".repeat(8_000) }));
    const large = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
    const tree = `/api/estimations/${large.data.estimation?.id}/tree`;
    await app.request("PUT", tree, { token, body: { nodes: [{ title: "n", kind: "group", options }] } });
    const plain = await get(tree);
    expect(plain.body.length).toBeGreaterThan(128 * 1024);
    const { status, headers, body } = await get(tree, { "accept-encoding": "gzip" });
    expect([status, headers.get("content-encoding"), headers.get("etag")]).toEqual([200, "gzip", 'W/"2"']);
    expect(headers.get("content-length")).toBe(String(body.length));
    expect(gunzipSync(body).toString()).toBe(plain.body.toString());
  });

  test("but never if it contains a secret", async () => {
    const name = "x".repeat(200);
    await app.request("PATCH", "/api/auth/me", {
      token,
      body: { name, avatarUrl: `https://x.example/${"y".repeat(1_900)}` },
    });
    const headers = { authorization, "content-type": "application/json", "accept-encoding": "gzip, br" };
    const signedIn = await raw("POST", "/api/auth/login", headers, JSON.stringify({ email, password }));
    expect(signedIn.body.length).toBeGreaterThan(COMPRESSED_BYTES);
    expect([signedIn.status, signedIn.headers.get("content-encoding")]).toEqual([200, null]);
    const hook = { url: `https://hooks.example.com/${"x".repeat(1_500)}`, events: [] };
    const made = await raw("POST", "/api/webhooks", headers, JSON.stringify(hook));
    expect(made.body.length).toBeGreaterThan(COMPRESSED_BYTES);
    expect([made.status, made.headers.get("content-encoding")]).toEqual([201, null]);
    expect((await get("/api/webhooks", { "accept-encoding": "gzip" })).headers.get("content-encoding")).toBe("gzip");
  });
});

describe("the tag of a compressed response", () => {
  test("is weak, and works in If-None-Match and If-Match", async () => {
    await app.request("PATCH", path, { token, body: { description: "A longer description. ".repeat(100) } });
    const plain = (await get(path)).headers.get("etag") ?? "";
    const coded = { "accept-encoding": "gzip" };
    const weak = (await get(path, coded)).headers.get("etag") ?? "";
    expect(weak).toBe(`W/${plain}`);
    const same = await get(path, { ...coded, "if-none-match": weak });
    expect([same.status, same.body.length, same.headers.get("content-encoding")]).toEqual([304, 0, null]);
    const stale = { authorization, "content-type": "application/json", ...coded, "if-match": 'W/"0"' };
    expect((await raw("PATCH", path, stale, '{"title":"lost"}')).status).toBe(412);
    expect((await raw("PATCH", path, { ...stale, "if-match": weak }, '{"title":"kept"}')).status).toBe(200);
    expect((await get(path, { "if-none-match": weak })).status).toBe(200);
  });
});

test("a HEAD of a compressed response has its headers and no body", async () => {
  const { status, headers, body } = await raw("HEAD", path, { authorization, "accept-encoding": "gzip" });
  expect([status, body.length, headers.get("content-encoding")]).toEqual([200, 0, "gzip"]);
});

test("a compressed response costs as many units as the uncompressed one", async () => {
  const { token } = await app.signUp();
  const leftOf = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
  const create = { token, body: { title: "Long", description: "x".repeat(10_000) } };
  for (let n = 0; n < 30; n += 1) await app.request("POST", "/api/estimations", create);
  const spent = async (coding: string) => {
    const ask = () =>
      raw("GET", "/api/estimations?limit=100", { authorization: `Bearer ${token}`, "accept-encoding": coding });
    const [first, second] = [await ask(), await ask()];
    expect(first.headers.get("content-encoding")).toBe(coding === "identity" ? null : coding);
    return leftOf(first.headers) - leftOf(second.headers);
  };
  expect(await spent("gzip")).toBe(await spent("identity"));
  expect(await spent("gzip")).toBeGreaterThan(2);
});

test("a client that disconnects while its response is being compressed causes no error", async () => {
  const { hostname, port } = new URL(app.url);
  for (let n = 0; n < 20; n += 1) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(`GET /api/openapi.json HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n`, () => socket.destroy());
    await new Promise((resolve) => socket.once("close", resolve));
  }
  expect((await get("/healthz")).status).toBe(200);
});

test("the typed client reads compressed responses", async () => {
  const { data, headers } = await createClient(app.url, () => token).getEstimation({
    params: { id: path.split("/").at(-1) ?? "" },
  });
  expect([headers.get("etag")?.slice(0, 2), data.estimation.title]).toEqual(["W/", "kept"]);
});
