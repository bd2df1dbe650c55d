import { execFile } from "node:child_process";
import { once } from "node:events";
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

/** Sends without an end, until the connection is closed. */
function flood(socket: Socket): void {
  const part = Buffer.alloc(MIB);
  const more = () => socket.write(part, () => void (socket.destroyed || setImmediate(more)));
  more();
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

  test.each(["fetch", "http", "http without keep-alive"])("by %s, of 5 MiB and more", async (client) => {
    for (const size of [5, 17, 48]) {
      expect(await upload(client, user.token, size * MIB, tries), `${size} MiB`).toEqual(Array(tries).fill(413));
    }
    expect(await upload(client, "none", 5 * MIB, tries)).toEqual(Array(tries).fill(401));
  });

  test("and its sender cannot keep the connection open", async () => {
    const { socket, heard, gone } = open(app.url, true);
    socket.write(head("PUT", path, 4_000 * MIB, asUser()));
    await until(() => heard().includes("payload_too_large"));
    flood(socket);
    await gone;
    expect(socket.bytesWritten).toBeLessThan(200 * MIB);
  });

  test("and the service reads only a bounded part of the rest, and almost nothing beyond the rate limit", async () => {
    const { url, server } = await impatient({}, { RATE_LIMIT_PER_MINUTE: "1" });
    const read: number[] = [];
    for (const status of [404, 429]) {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      server.once("connection", (taken: Socket) => {
        taken.once("close", () => {
          read.push(taken.bytesRead / MIB);
          resolve();
        });
      });
      const { socket, heard } = open(url, true);
      socket.write(head("POST", "/nowhere", 4_000 * MIB));
      await until(() => heard().startsWith(`HTTP/1.1 ${status} `));
      flood(socket);
      await closed;
    }
    expect(read[0]).toBeLessThan(34);
    expect(read[1]).toBeLessThan(1);
  });

  test("and a client that waits for 100 Continue does not get it", async () => {
    for (const [bytes, more] of [
      [2 * MIB, asUser()],
      [100, ""],
    ] as const) {
      const { socket, heard } = open(app.url);
      socket.write(head("PUT", path, bytes, `${more}Expect: 100-continue\r\n`));
      await until(() => heard().includes("requestId"));
      expect(heard()).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });
});

describe("a slow body", () => {
  const pace = { graceMs: 150, bytesPerSecond: 1_000 };

  test("is refused once it is slower than the least rate, and its connection is given up", async () => {
    // Nothing else ends the request, whose own time is much longer.
    const { socket, heard, gone } = open((await impatient({ pace, requestMs: 3_600_000 })).url);
    socket.write(`${head("POST", "/echo", 100)}{`);
    await until(() => heard().includes("request_timeout"));
    expect(heard()).toMatch(/^HTTP\/1\.1 408 /);
    await gone;
  });

  test("is accepted if it is fast enough", async () => {
    const { socket, heard } = open((await impatient({ pace: { graceMs: 20_000, bytesPerSecond: 1 } })).url);
    const body = JSON.stringify({ a: "b".repeat(50) });
    socket.write(head("POST", "/echo", body.length));
    for (const character of body) await new Promise<void>((resolve) => socket.write(character, () => resolve()));
    await until(() => heard().includes("b".repeat(50)));
    expect(heard()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("bodies of one caller at the same time", () => {
  /** Begins a body of 1 MiB and sends all of it but its end. */
  async function begin(token: string) {
    const upload = open(app.url);
    const sent = limits.largeBodyBytes + 1;
    upload.socket.write(head("PUT", path, MIB, asUser(token)) + " ".repeat(sent));
    return { ...upload, finish: () => upload.socket.write(`${" ".repeat(MIB - sent - 2)}{}`) };
  }

  test("are limited to a few large ones; other users' bodies and small ones pass, and finished ones make room", async () => {
    const other = await app.signUp();
    const held = [];
    for (let n = 0; n < limits.largeBodiesPerCaller; n += 1) held.push(await begin(user.token));
    const beyond = await until(async () => {
      const next = await begin(user.token);
      await until(() => next.heard() !== "" || next.socket.bytesWritten > limits.largeBodyBytes);
      return until(() => next.heard().includes("requestId") && next, 500).catch(() => null);
    });
    expect(beyond.heard()).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1[\s\S]*"rate_limited"/);
    expect((await app.request("PUT", path, { token: user.token, body: {} })).status).toBe(200);
    for (const { socket } of held) socket.destroy();
    // Refused until the service notices that the others are gone.
    await until(async () => {
      const again = await begin(user.token);
      again.finish();
      await until(() => again.heard().includes("success"));
      again.socket.destroy();
      return again.heard().startsWith("HTTP/1.1 200 ");
    });
    expect((await app.request("GET", "/api/auth/me", { token: other.token })).status).toBe(200);
  });
});

describe("connections", () => {
  test("a request whose sender half-closes the connection is carried out and answered", async () => {
    const body = JSON.stringify({ title: "Half closed" });
    const { socket, heard } = open(app.url, true);
    socket.end(head("POST", "/api/estimations", body.length, asUser()) + body);
    await once(socket, "end");
    expect(heard()).toMatch(/^HTTP\/1\.1 201 /);
    const { rows } = await app.pool.query("select 1 from estimations where title = 'Half closed'");
    expect(rows).toHaveLength(1);
  });

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
