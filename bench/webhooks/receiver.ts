/**
 * The receiver: an HTTPS server on loopback in its own process that responds at once, and below `/hanging` never. Each
 * message gets `Seen` back, counted since the previous message.
 */
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { certify } from "../../tests/support/receiver.ts";

export interface Seen {
  /** Requests that got a response at once. */
  readonly responded: number;
  /** Requests that hang, and the most of them at once at one endpoint. */
  readonly hanging: number;
  readonly hangingAtOnce: number;
  readonly connections: number;
  /** Events below `/healthy`, with the time of their receipt in milliseconds since 1970, of the monotonic clock. */
  readonly healthy: readonly (readonly [taskCount: number, atMs: number])[];
}

const nowMs = (): number => performance.timeOrigin + performance.now();
const none = () => ({ responded: 0, hanging: 0, hangingAtOnce: 0, connections: 0, healthy: [] as [number, number][] });
const underWay = new Map<string, number>();
let seen = none();

const pems = await certify(["localhost"]);
const server = createServer({ key: pems.private, cert: pems.cert }, (request, response) => {
  const { url = "" } = request;
  if (url.startsWith("/hanging")) {
    const atOnce = (underWay.get(url) ?? 0) + 1;
    underWay.set(url, atOnce);
    seen.hanging += 1;
    seen.hangingAtOnce = Math.max(seen.hangingAtOnce, atOnce);
    response.on("close", () => underWay.set(url, (underWay.get(url) ?? 0) - 1));
    return void request.resume();
  }
  seen.responded += 1;
  if (!url.startsWith("/healthy")) return void request.resume().on("end", () => response.end("ok"));
  const atMs = nowMs();
  let body = "";
  request.setEncoding("utf8").on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    seen.healthy.push([JSON.parse(body).taskCount, atMs]);
    response.end("ok");
  });
});
server.keepAliveTimeout = 60_000;
server.on("connection", (socket: Socket) => {
  seen.connections += 1;
  socket.setNoDelay(true).on("error", () => {});
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `https://localhost:${port}`, certificate: pems.cert });
});
process.on("message", () => {
  process.send?.(seen);
  seen = none();
});
process.on("disconnect", () => process.exit());
