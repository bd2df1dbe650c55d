import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type TLSSocket } from "node:tls";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../../tests/harness.ts";
import { certify } from "../../../tests/support/receiver.ts";
import { systemClock } from "../clock.ts";
import { createOutbound, type Outbound, OutboundFailure, type OutboundOptions } from "./index.ts";

const KIBIBYTE = 1024;
/** More than the operating systems of both sides buffer. */
const IN_BETWEEN = 12 * KIBIBYTE * KIBIBYTE;
const NAMES = 440;

const dataDir = mkdtempSync(join(tmpdir(), "hostile-"));
let onRequest: (socket: TLSSocket) => void;
let port: number;
let outbound: Outbound;
const sockets = new Set<Socket>();
/** Connections so far. */
let opened = 0;

const server = (pems: { private: string; cert: string }) =>
  createServer({ key: pems.private, cert: pems.cert }, (socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      if (bytes.includes("POST ")) onRequest(socket);
    });
  });
let listening: ReturnType<typeof server>;

beforeAll(async () => {
  const names = Array.from({ length: NAMES }, (_, at) => `host-${at}.example.com`);
  const pems = await certify(["localhost", ...names]);
  writeFileSync(join(dataDir, "receiver.pem"), pems.cert);
  listening = server(pems);
  listening.on("connection", (socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  port = (listening.address() as AddressInfo).port;
});
afterEach(() => outbound.close());
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  listening.close();
  rmSync(dataDir, { recursive: true });
});

function make(options: Partial<OutboundOptions> = {}): void {
  outbound = createOutbound({
    clock: systemClock,
    log: pino({ level: "silent" }),
    allowedNetworks: ["127.0.0.0/8", "::1/128"],
    allowedPorts: [],
    trustedFolder: dataDir,
    resolve: (_, __, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
    ...options,
  });
}

const post = (host = "localhost", timeoutMs = 60_000) =>
  outbound.send({
    url: `https://${host}:${port}/hook`,
    method: "POST",
    headers: {},
    body: "{}",
    timeoutMs,
    readBytes: 64 * KIBIBYTE,
    returnBytes: 4 * KIBIBYTE,
  });

/** Writes `piece` again and again until the connection is closed or `most` bytes are written; returns how many were. */
async function flood(socket: TLSSocket, piece: string, most = 4 * IN_BETWEEN): Promise<number> {
  const block = Buffer.from(piece.repeat(Math.ceil(16_384 / piece.length)));
  let written = 0;
  while (!socket.destroyed && written < most) {
    written += block.length;
    if (!socket.write(block)) await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
  }
  return written;
}

describe("an endless response without a body", () => {
  test.each([
    ["in the extension of a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", "x", 200],
    ["in the size of a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "0", 200],
    ["in empty lines before it", "", "\r\n", "invalid_response"],
    ["in early hints", "", "HTTP/1.1 103 Early Hints\r\n\r\n", "invalid_response"],
    [
      "in early hints with large headers",
      "",
      `HTTP/1.1 103 Hints\r\nx: ${"x".repeat(9_000)}\r\n\r\n`,
      "invalid_response",
    ],
    ["in its trailers", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "x: y\r\n", 200],
  ])("%s ends the connection after some kilobytes", async (_, head, piece, expected) => {
    make();
    const written = Promise.withResolvers<number>();
    onRequest = (socket) => {
      if (head) socket.write(head);
      void flood(socket, piece).then(written.resolve);
    };
    const outcome = await post().then(
      ({ status }) => status,
      (error) => (error instanceof OutboundFailure ? (error.partial?.status ?? error.reason) : String(error)),
    );
    expect(outcome).toBe(expected);
    expect(await written.promise).toBeLessThan(IN_BETWEEN);
  });

  test("a few interim responses before a response are accepted", async () => {
    make();
    onRequest = (socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(5));
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    };
    expect((await post()).status).toBe(200);
    onRequest = (socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(6));
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    };
    await expect(post()).rejects.toMatchObject({ reason: "invalid_response" });
  });

  test("is counted separately for every response of a connection", async () => {
    make();
    const response = `1;${"x".repeat(30 * KIBIBYTE)}\r\na\r\n0\r\n\r\n`;
    onRequest = (socket) => void socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${response}`);
    const before = opened;
    for (let count = 0; count < 8; count++) {
      const { status, body } = await post();
      expect([status, body.toString()]).toEqual([200, "a"]);
    }
    // A second one may have been begun before the first was free again.
    expect(opened - before).toBeLessThanOrEqual(2);
  });
});

describe("idle connections", () => {
  const responseOnce = (socket: TLSSocket) =>
    void socket.write("HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 2\r\n\r\nok");

  test("are closed after a moment, whatever keep-alive the other side promises", async () => {
    make({ idleMs: 100 });
    onRequest = responseOnce;
    await post();
    await until(() => sockets.size === 0);
  });

  test("are closed within seconds by default", async () => {
    make();
    onRequest = responseOnce;
    await post();
    await until(() => sockets.size === 0, 30_000);
  });

  test("are few, however many hosts were called", async () => {
    make({ idleMs: 600_000 });
    onRequest = responseOnce;
    for (let at = 0; at < NAMES; at += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, more) => post(`host-${at + more}.example.com`)));
    }
    await until(() => sockets.size <= 400);
  });
});
