import { execFile } from "node:child_process";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { loadConfig } from "../../server/config.ts";
import { createServer, type ServerTimes } from "../../server/http/server.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { start, until } from "../harness.ts";

const app = await start();
const user = await app.signUp();
const created = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Steady" } });
const path = `/api/estimations/${created.data.estimation?.id}`;
const MIB = 1024 * 1024;

/** A connection to a service at `url`; what comes back is in `heard`. */
function open(url: string, allowHalfOpen = false): { socket: Socket; heard: () => string; gone: Promise<unknown> } {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen });
  let heard = "";
  socket.on("error", () => {});
  socket.on("data", (part) => {
    heard += part;
  });
  afterAll(() => socket.destroy());
  return { socket, heard: () => heard, gone: new Promise((resolve) => socket.once("close", resolve)) };
}

const head = (method: string, url: string, bytes: number, more = "") =>
  `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${more}\r\n`;
const asUser = (token = user.token) => `Authorization: Bearer ${token}\r\n`;

/** Starts a server with short timeouts and one route that answers what it was sent. */
async function impatient(times: Partial<ServerTimes>, settings: Record<string, string> = {}) {
  const services = { config: loadConfig(settings), log: pino({ level: "silent" }), clock: systemClock };
  const { app: server } = createServer(services, times);
  server.post("/echo", async ({ body }) => ({ body }));
  await server.listen({ host: "127.0.0.1", port: 0 });
  afterAll(() => server.close());
  return { url: server.listeningOrigin, server: server.server };
}

const run = promisify(execFile);
const uploader = fileURLToPath(new URL("../support/uploader.ts", import.meta.url));

/** Uploads `tries` times with a client in a separate process; returns the statuses that it saw. */
async function upload(client: string, token: string, bytes: number, tries: number): Promise<unknown[]> {
  const { stdout } = await run(process.execPath, [
    uploader,
    client,
    app.url + path,
    token,
    String(bytes),
    String(tries),
  ]);
  return JSON.parse(stdout);
}

describe("the sender of an upload that is refused early gets the reason", () => {
  const tries = 8;

  test.each(["fetch", "http"])("by %s, of 5 MiB and more", async (client) => {
    for (const size of [5, 17, 48]) {
      expect(await upload(client, user.token, size * MIB, tries), `${size} MiB`).toEqual(Array(tries).fill(413));
    }
    expect(await upload(client, "none", 5 * MIB, tries)).toEqual(Array(tries).fill(401));
  });
});

test("a body that has not arrived when its time is over is refused, and its connection closed", async () => {
  const { socket, heard, gone } = open((await impatient({ requestMs: 300 })).url);
  socket.write(`${head("POST", "/echo", 100)}{`);
  await gone;
  expect(heard()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
});

describe("requests of one caller that take much memory", () => {
  /** As much as a caller may have at the same time. */
  const each = limits.memoryPerCallerBytes;

  /** Begins to send a tree of that size, or in chunks, of which nobody knows how many come. */
  function begin(token: string, framing = `Content-Length: ${each}`) {
    const upload = open(app.url);
    const fields = `Host: localhost\r\nContent-Type: application/json\r\n${framing}\r\n${asUser(token)}`;
    upload.socket.write(`PUT ${path}/tree HTTP/1.1\r\n${fields}\r\n`);
    return upload;
  }

  /** Waits until the callers of the requests that were begun are known: that takes as long as several later requests. */
  const settled = async () => {
    for (let n = 0; n < 5; n += 1)
      expect((await app.request("GET", "/api/auth/me", { token: user.token })).status).toBe(200);
    expect((await app.request("GET", "/healthz")).status).toBe(200);
  };

  test.each([`Content-Length: ${each}`, "Transfer-Encoding: chunked"])(
    "wait for each other, announced as %s; others' pass, and so do the caller's own that take none",
    async (framing) => {
      const held = begin(user.token, framing);
      await settled();
      let isAnswered = false;
      const waiting = app.request("PUT", path, { token: user.token, body: { title: "Steady" } }).finally(() => {
        isAnswered = true;
      });
      expect((await app.request("GET", path, { token: user.token })).status).toBe(200);
      const other = await app.signUp();
      const change = { token: other.token, body: { name: "x" } };
      expect((await app.request("PATCH", "/api/auth/me", change)).status).toBe(200);
      expect(isAnswered).toBe(false);
      held.socket.destroy();
      expect((await waiting).status).toBe(200);
    },
  );

  test("wait also for a large tree that they only read, before it is loaded; what loads none of it does not wait", async () => {
    const { token } = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
    const own = `/api/estimations/${data.estimation?.id}`;
    const nodes = [
      { title: "Which way?", kind: "multi", options: Array.from({ length: 20 }, (_, at) => optionOf(at)) },
    ];
    expect((await app.request("PUT", `${own}/tree`, { token, body: { nodes } })).status).toBe(200);
    const held = begin(token);
    await settled();
    const order: string[] = [];
    const tree = app.request("GET", `${own}/tree`, { token }).finally(() => order.push("tree"));
    for (const light of ["", "/activity", "/shares", "/reviews", "/versions", "/tasks"])
      expect((await app.request("GET", own + light, { token })).status, light).toBe(200);
    order.push("light");
    held.socket.destroy();
    expect((await tree).status).toBe(200);
    expect(order).toEqual(["light", "tree"]);
  });

  test("are refused if they wait for too long, or too many of them wait", async () => {
    const { token } = await app.signUp();
    const held = begin(token);
    await settled();
    const more = Array.from({ length: 9 }, () => begin(token));
    const heard = () => more.map((one) => one.heard()).filter((text) => text.includes("requestId"));
    await until(() => heard().length === 1);
    expect(heard()[0]).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1[\s\S]*"rate_limited"/);
    app.clock.advance(limits.writeWaitSeconds * 1_000);
    await until(() => heard().length === more.length);
    expect(
      heard().filter((text) => /^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*"service_unavailable"/.test(text)),
    ).toHaveLength(8);
    held.socket.destroy();
  });

  test("have a bound with those of all callers, and health is answered meanwhile", async () => {
    const users = await Promise.all(Array.from({ length: limits.memoryBytes / each }, () => app.signUp()));
    const { token } = await app.signUp();
    const held = users.map((one) => begin(one.token));
    await settled();
    let isAnswered = false;
    const waiting = app.request("PATCH", "/api/auth/me", { token, body: { name: "x" } }).finally(() => {
      isAnswered = true;
    });
    await settled();
    expect(isAnswered).toBe(false);
    for (const { socket } of held) socket.destroy();
    expect((await waiting).status).toBe(200);
  });

  test("that ended in any way leave nothing counted", async () => {
    const { token } = await app.signUp();
    const send = (body: unknown, as = token) => app.request("PUT", `${path}/tree`, { token: as, body });
    const statuses: number[] = [];
    const large = " ".repeat(limits.treeBodyBytes - 100);
    for (const body of [`{}${large}`, `[]${large}`, `{${large}`])
      for (let n = 0; n < 3; n += 1) statuses.push((await send(body)).status);
    expect(new Set(statuses)).not.toContain(503);
  });
});

/** An option whose texts are long. */
const optionOf = (at: number) => ({
  title: `Way ${at}`,
  description: "x".repeat(limits.descriptionLength),
  hours: { optimistic: 1, likely: 2, pessimistic: 3 },
});

describe("connections", () => {
  test("have 60 seconds for the head of a request and from an answer to the next one, and a request has two minutes", async () => {
    const { server } = await impatient({});
    expect([server.headersTimeout, server.requestTimeout]).toEqual([60_000, 120_000]);
    expect(server.keepAliveTimeout).toBe(60_000);
  });

  test("one that sends nothing after an answer is closed", async () => {
    const { url } = await impatient({ silentMs: 2_000 });
    const { socket, heard, gone } = open(url);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await gone;
    expect(heard()).toMatch(/^HTTP\/1\.1 \d+ [\s\S]*keep-alive: timeout=2\r\n/i);
  });

  test("one that sends nothing, or does not finish its headers, is closed", async () => {
    const { url } = await impatient({ silentMs: 200 });
    await open(url).gone;
    // On a busy machine, what is sent may arrive after the time is over.
    await until(async () => {
      const slow = open(url);
      slow.socket.write("GET / HTTP/1.1\r\nHost: ");
      await slow.gone;
      return slow.heard().startsWith("HTTP/1.1 408 ");
    });
  });
});
