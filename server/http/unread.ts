import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { limits } from "../../contract/limits.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { free } from "./body/blocks.ts";
import { isCut } from "./bound-parsing.ts";
import { createChunkAllowance } from "./chunk-allowance.ts";

/** Bytes of a refused body that are read and discarded; after that its sender has to wait. */
const DISCARDED_BYTES = 32 * 1024 * 1024;
/** A connection is reused only if at most this much of a body with announced length is still to come. */
const WORTH_READING_BYTES = 64 * 1024;

/** Bytes that are read of all refused bodies together in a period; reading them takes time from others. */
const PERIOD_BYTES = 4 * 1024 * 1024;
const PERIOD_MS = 100;
/** Bytes of one read at most. */
const PART_BYTES = 64 * 1024;
/**
 * If more bodies than this wait, somebody sends many at once, and fewer bytes are read: memory for them keeps the
 * garbage collector busy.
 */
const USUAL_BODIES = 8;
const CROWDED_BYTES = 1024 * 1024;

/**
 * Reads on and discards, up to a limit, at a pace that all refused bodies share: the others wait for their turn.
 * Repeated calls for the same source do nothing.
 *
 * A source is first stopped when what it has in memory was taken. Before that it may never have asked for more by itself:
 * when the answer is sent, Node.js takes this for a body that nobody wants, and reads all of it as fast as it arrives.
 */
export function discard(source: Readable, bytesMax = DISCARDED_BYTES): void {
  if (discarded.has(source)) return;
  discarded.add(source);
  const isChunked = (source as Partial<IncomingMessage>).headers?.["transfer-encoding"] !== undefined;
  let left = bytesMax;
  const mayTake = createChunkAllowance();
  let inMemory = source.readableLength;
  source.on("data", (part: Buffer<ArrayBuffer>) => {
    const { length } = part;
    if (length >= limits.smallChunkBytes) free(part);
    if (isChunked && (!mayTake(length) || isCut(source))) return stopReading(source);
    left -= length;
    inMemory -= length;
    if (inMemory > 0) return;
    if (left < 0) source.pause();
    else waitForPace(source, length);
  });
  source.once("close", () => waiting.delete(source));
  source.on("error", () => {});
  source.resume();
}

/**
 * Reads no more of a refused body of many small chunks, each of which takes time and memory: its connection is closed with the
 * answer, or now where that has been sent.
 */
export function stopReading(source: Readable): void {
  stopped.add(source);
  discarded.add(source);
  source.pause();
  const { socket } = source as Partial<IncomingMessage>;
  if (socket?.writableEnded) socket.destroy();
}

const discarded = new WeakSet<Readable>();
const stopped = new WeakSet<Readable>();
const waiting = new Set<Readable>();
let leftInPeriod = PERIOD_BYTES;
let inPeriod = false;

function waitForPace(source: Readable, bytes: number): void {
  leftInPeriod -= bytes;
  if (!inPeriod) {
    inPeriod = true;
    systemClock.after(PERIOD_MS, beginPeriod);
  }
  if (leftInPeriod >= 0) return;
  source.pause();
  waiting.add(source);
}

function beginPeriod(): void {
  inPeriod = waiting.size > 0;
  leftInPeriod = waiting.size > USUAL_BODIES ? CROWDED_BYTES : PERIOD_BYTES;
  if (inPeriod) systemClock.after(PERIOD_MS, beginPeriod);
  for (const source of [...waiting].slice(0, leftInPeriod / PART_BYTES)) {
    waiting.delete(source);
    source.resume();
  }
}

/** Returns whether much of a request is, or may be, still to come. */
export function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > WORTH_READING_BYTES;
}

interface Lingering {
  readonly clock: Clock;
  readonly lingerMs: number;
  /** Called for each connection that is kept open. */
  readonly onLinger: (socket: Socket) => void;
}

/**
 * Keeps a connection open for a moment after a response that was sent before the request had been read: closing with
 * unread bytes resets it, and the response is lost on the way or in a sender that reads only after sending everything.
 */
export function lingerOnUnread(server: Server, { clock, lingerMs, onLinger }: Lingering): void {
  const current = new WeakMap<Socket, IncomingMessage>();
  server.on("request", (request) => current.set(request.socket, request));
  server.on("connection", (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls this to close a connection after its last response.
    socket.destroySoon = () => {
      const request = current.get(socket);
      if (!request || request.complete || socket.destroyed || stopped.has(request)) return destroySoon();
      onLinger(socket);
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
 * Sends `100 Continue` to a sender that asks for it (`Expect: 100-continue`) only when the body is read: a request
 * refused earlier need not send its body.
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
