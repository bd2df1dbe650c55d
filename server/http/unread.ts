import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Clock } from "../platform/clock.ts";

/** Bytes of a refused body that are read and thrown away; beyond them its sender has to wait. */
const DISCARDED_BYTES = 32 * 1024 * 1024;
/** How long a connection with an unread body stays open after its answer. */
const LINGER_MS = 2_000;
/** What is still to come of a body with an announced length may be as long as this for its connection to be used again. */
const WORTH_READING_BYTES = 64 * 1024;

/** Reads on without keeping anything, to a bound. Again for the same source: nothing. */
export function discard(source: Readable, bytesMax = DISCARDED_BYTES): void {
  if (discarded.has(source)) return;
  discarded.add(source);
  let left = bytesMax;
  source.on("data", ({ length }: Buffer) => {
    left -= length;
    if (left < 0) source.pause();
  });
  source.on("error", () => {});
  source.resume();
}

const discarded = new WeakSet<Readable>();

/** Whether much of a request is still to come, or may be. */
export function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > WORTH_READING_BYTES;
}

/**
 * Keeps a connection open for a moment after an answer that was given before the request had been read: closing it on
 * unread bytes resets it, and the answer is lost on the way or in a sender that only listens once it has said everything.
 */
export function lingerOnUnread(server: Server, clock: Clock, lingerMs = LINGER_MS): void {
  const current = new WeakMap<Socket, IncomingMessage>();
  server.on("request", (request) => current.set(request.socket, request));
  server.on("connection", (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // What Node calls to close a connection after its last answer.
    socket.destroySoon = () => {
      const request = current.get(socket);
      if (!request || request.complete || socket.destroyed) return destroySoon();
      socket.once(
        "close",
        clock.after(lingerMs, () => socket.destroy()),
      );
      request.once("end", destroySoon);
      socket.end();
    };
  });
}

/**
 * Asks a sender who waits for it (`Expect: 100-continue`) for the body only when it is read: who is refused earlier need
 * not send it.
 */
export function continueWhenRead(server: Server): (request: IncomingMessage) => void {
  const waiting = new WeakMap<IncomingMessage, ServerResponse>();
  server.on("checkContinue", (request, response) => {
    waiting.set(request, response);
    server.emit("request", request, response);
  });
  return (request) => {
    waiting.get(request)?.writeContinue();
    waiting.delete(request);
  };
}
