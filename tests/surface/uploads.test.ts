import { execFile } from "node:child_process";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { loadConfig } from "../../server/config.ts";
import { createServer, type ServerTimes } from "../../server/http/server.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { createMetrics } from "../../server/platform/metrics/metrics.ts";
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

/** Starts a server with short timeouts and one route that returns what it was sent. */
async function impatient(times: Partial<ServerTimes>, settings: Record<string, string> = {}) {
  const services = { ...app.services, config: loadConfig(settings), clock: systemClock, metrics: createMetrics() };
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

describe("the sender of an upload that is refused early receives the reason", () => {
  const tries = 8;

  test.each(["fetch", "http"])("by %s, of 5 MiB and more", async (client) => {
    for (const size of [5, 17, 48]) {
      expect(await upload(client, user.token, size * MIB, tries), `${size} MiB`).toEqual(Array(tries).fill(413));
    }
    expect(await upload(client, "none", 5 * MIB, tries)).toEqual(Array(tries).fill(401));
  });
});

test("a body that has not arrived within its time is refused, and its connection closed", async () => {
  const { socket, heard, gone } = open((await impatient({ requestMs: 300 })).url);
  socket.write(`${head("POST", "/echo", 100)}{`);
  await gone;
  expect(heard()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
});

describe("bodies under way", () => {
  /** As much as the body of one request may have. */
  const each = limits.treeBodyBytes;
  const perCaller = limits.bodiesPerCallerBytes / each;

  interface Begun extends ReturnType<typeof open> {
    again(): Begun;
  }

  /** Begins to send a tree of that size, or in chunks, of which nobody knows how many come. */
  function begin(token: string, framing = `Content-Length: ${each}`): Begun {
    const upload = open(app.url);
    const fields = `Host: localhost\r\nContent-Type: application/json\r\n${framing}\r\n${asUser(token)}`;
    upload.socket.write(`PUT ${path}/tree HTTP/1.1\r\n${fields}\r\n`);
    return { ...upload, again: () => begin(token, framing) };
  }

  /** Waits until the callers of the requests that were begun are known: that takes as long as several later requests. */
  const settled = async () => {
    for (let n = 0; n < 5; n += 1)
      expect((await app.request("GET", "/api/auth/me", { token: user.token })).status).toBe(200);
    expect((await app.request("GET", "/healthz")).status).toBe(200);
  };
  const rename = (token: string) => app.request("PATCH", "/api/auth/me", { token, body: { name: "x" } });
  /** Waits until what was begun is counted, so that there is no room left. */
  const isRefused = async (token: string, held: Begun[]) => {
    await until(async () => {
      // A small body that came first left no room for what was begun.
      for (const [at, one] of held.entries()) if (one.heard() !== "") held[at] = one.again();
      await settled();
      return (await rename(token)).status !== 200;
    });
    const { status, headers, body } = await rename(token);
    expect([status, headers.get("retry-after"), body.message]).toEqual([503, "1", "service_unavailable"]);
  };

  test.each([`Content-Length: ${each}`, "Transfer-Encoding: chunked"])(
    "are limited for each caller, announced as %s, and count until they end",
    async (framing) => {
      const { token } = await app.signUp();
      const held = Array.from({ length: perCaller - 1 }, () => begin(token, framing));
      await settled();
      expect((await rename(token)).status).toBe(200);
      held.push(begin(token, framing));
      await isRefused(token, held);
      expect(held.map(({ heard }) => heard())).toEqual(held.map(() => ""));
      expect((await app.request("GET", "/api/auth/me", { token })).status).toBe(200);
      expect((await rename((await app.signUp()).token)).status).toBe(200);
      for (const { socket } of held) socket.destroy();
      await until(async () => (await rename(token)).status === 200);
    },
  );

  test("are limited for all callers, and health checks succeed meanwhile", async () => {
    const most = limits.bodiesBytes / each;
    const users = await Promise.all(Array.from({ length: most / perCaller }, () => app.signUp()));
    const { token } = await app.signUp();
    const held = users.flatMap((one) => Array.from({ length: perCaller }, () => begin(one.token)));
    await isRefused(token, held);
    await settled();
    held.pop()?.socket.destroy();
    await until(async () => (await rename(token)).status === 200);
    for (const { socket } of held) socket.destroy();
  });

  test("no longer count, however they ended", async () => {
    const { token } = await app.signUp();
    const send = (body: unknown, as = token) => app.request("PUT", `${path}/tree`, { token: as, body });
    const statuses: number[] = [];
    const large = " ".repeat(limits.treeBodyBytes - 100);
    for (const body of [`{}${large}`, `[]${large}`, `{${large}`])
      for (let n = 0; n < 3; n += 1) statuses.push((await send(body)).status);
    expect(new Set(statuses)).not.toContain(503);
  });
});

describe("connections", () => {
  test("have 60 seconds for the head of a request and from a response to the next one, and a request has two minutes", async () => {
    const { server } = await impatient({});
    expect([server.headersTimeout, server.requestTimeout]).toEqual([60_000, 120_000]);
    expect(server.keepAliveTimeout).toBe(60_000);
  });

  test("one that sends nothing after a response is closed", async () => {
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
