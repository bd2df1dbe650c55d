import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { type ErrorKey, errorRow } from "../../../contract/errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { errorBody } from "./envelope.ts";
import type { Refusing } from "./refuse.ts";
import { apiHeaders } from "./security-headers.ts";

type Headers = readonly (readonly [name: string, value: string])[];

/** How long, in milliseconds, a refused sender may keep its side of the connection open. */
const LINGER_MS = 1_000;

const BY_CODE: Readonly<Record<string, ErrorKey>> = {
  HPE_HEADER_OVERFLOW: "header_fields_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "payload_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/**
 * Responds to bytes that the HTTP parser could not read as a request, in the envelope and with `headers`, by writing the bytes
 * itself, as there is no response object; then closes.
 */
export function refuseSocket(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Headers,
  { baseUrl, metrics }: Pick<Refusing, "baseUrl" | "metrics">,
): void {
  if (error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const key = BY_CODE[error.code ?? ""] ?? "bad_request";
  // Everything after an unreadable request is unreadable too: one response is enough.
  if (socket.writableEnded) return;
  // A sender that disconnects meanwhile must not cause an unhandled error.
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  metrics.refusals.inc({ error: key, limit: "" });
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(key, requestId, baseUrl));
  const lines = [
    `HTTP/1.1 ${errorRow(key).status} ${key}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `cache-control: ${apiHeaders["cache-control"]}`,
    `x-request-id: ${requestId}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  // Read on and discard: closing with unread bytes would reset the connection and could lose the response.
  socket.resume();
  socket.once(
    "close",
    systemClock.after(LINGER_MS, () => socket.destroy()),
  );
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
