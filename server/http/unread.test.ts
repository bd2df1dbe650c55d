import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { monotonicMs } from "../platform/clock.ts";
import { discard } from "./unread.ts";

const CHUNK_BYTES = 64 * 1024;
const MEBIBYTE = 1024 * 1024;
/** Of 100 ms each. */
const PERIODS = 10;

test.each([
  [5, 4],
  [20, 1],
])("%i refused bodies are read on at a pace that all of them share", async (bodies, mebibytes) => {
  const began = monotonicMs();
  let bytes = 0;
  const endless = () =>
    new Readable({
      read() {
        bytes += CHUNK_BYTES;
        this.push(Buffer.alloc(CHUNK_BYTES));
      },
    });
  const sources = Array.from({ length: bodies }, endless);
  for (const source of sources) discard(source, Number.POSITIVE_INFINITY);
  for (; monotonicMs() - began < PERIODS * 100; ) await turn();
  const periods = Math.ceil((monotonicMs() - began) / 100) + 1;
  for (const source of sources) source.destroy();
  expect(bytes).toBeGreaterThan(mebibytes * MEBIBYTE);
  // The first period has the limit for few bodies, and each body may bring a little before it stops.
  expect(bytes).toBeLessThan((4 + bodies * 0.25 + periods * mebibytes * 2) * MEBIBYTE);
});

test("a body whose rest is not wanted is not read by Node.js either, once the answer is sent", async () => {
  const server = createServer(async (request, response) => {
    // As much as arrives while the caller is identified.
    for (; request.readableLength <= request.readableHighWaterMark; ) await turn();
    discard(request, 0);
    response.writeHead(429, { connection: "close" }).end();
    await once(response, "close");
    // If the rest were read, it would arrive now: the sender sends as fast as it can.
    for (let turns = 0; turns < 200; turns += 1) await turn();
    server.emit("judged", request.socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Keeps the connection open after the answer, as the service does for refused bodies.
  server.on("connection", (socket: Socket) => Object.assign(socket, { destroySoon: () => socket.end() }));
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {}).resume();
  const judged = once(server, "judged");
  // In one piece: the first part of the body is then a little smaller than a read, and Node.js asks for a second one.
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${16 * MEBIBYTE}\r\n\r\n`;
  client.write(Buffer.concat([Buffer.from(head), Buffer.alloc(16 * MEBIBYTE - 1)]));
  const [socket] = (await judged) as [Socket];
  expect(socket.bytesRead).toBeLessThan(MEBIBYTE);
  client.destroy();
  server.closeAllConnections();
  server.close();
});
