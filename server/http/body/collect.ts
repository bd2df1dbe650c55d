import type { Readable } from "node:stream";
import { limits } from "../../../contract/limits.ts";
import { type Clock, monotonicMs } from "../../platform/clock.ts";
import { isCut } from "../bound-parsing.ts";
import { createChunkAllowance } from "../chunk-allowance.ts";
import { Failure } from "../failure.ts";
import { discard, stopReading } from "../unread.ts";
import { type Blocks, createBlocks } from "./blocks.ts";

/** How fast a body has to arrive. */
export interface Pace {
  /** How far a body may be behind a sender of the least speed. So one that has arrived within this time may be of any speed. */
  readonly graceMs: number;
  /** The least speed. */
  readonly bytesPerSecond: number;
}

export interface Collecting {
  readonly limitBytes: number;
  /** Length that the sender announced, in bytes; NaN if it did not. */
  readonly announcedBytes: number;
  readonly pace: Pace;
  readonly clock: Clock;
  /** Checks each part as it arrives; an error that it throws refuses the body. */
  readonly look: (part: Buffer) => void;
  /** Refuses the body with its reason if it is aborted before the body has arrived. */
  readonly signal?: AbortSignal | undefined;
  /** Called at once when the body has arrived. */
  readonly onEnd?: (() => void) | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
  /** A larger body is meant for a thread. */
  readonly parkedAbove?: number | undefined;
}

const JUDGED_EVERY_MS = 1_000;

/**
 * Returns how much longer a body may be silent, in milliseconds: `leftMs` from the last judgement, less the time since,
 * plus the time that its bytes take at the least speed. That is never more than the time of grace (at least a second): a sender who
 * was fast cannot be silent for longer. A pause of the process itself counts little.
 */
export const silenceLeft = (
  leftMs: number,
  sinceMs: number,
  bytes: number,
  { graceMs, bytesPerSecond }: Pace,
): number =>
  Math.min(
    leftMs - Math.min(sinceMs, 2 * JUDGED_EVERY_MS) + (bytes / bytesPerSecond) * 1_000,
    Math.max(graceMs, JUDGED_EVERY_MS),
  );

/**
 * Reads a body to its end. Refuses one that is larger than the limit, or announced to be (413), one of too many small chunks
 * (413), and one that arrives too slowly (408). The rest of a refused body is discarded as it arrives, so that the sender can
 * read the response.
 */
export function collect(source: Readable, collecting: Collecting): Promise<Blocks> {
  const { limitBytes, announcedBytes, pace, clock, look, signal, onEnd, parkedAbove, nowMs = monotonicMs } = collecting;
  const { promise, resolve, reject } = Promise.withResolvers<Blocks>();
  const blocks = createBlocks(parkedAbove);
  const isChunked = Number.isNaN(announcedBytes);
  let size = 0;
  const mayTake = createChunkAllowance();
  let hasTooManyChunks = false;
  let judged = { atMs: nowMs(), size: 0, leftMs: pace.graceMs };
  let stopJudging = () => {};

  const take = (part: Buffer<ArrayBuffer>) => {
    const { length } = part;
    size += length;
    if (isChunked && (!mayTake(length) || isCut(source))) hasTooManyChunks = true;
    try {
      if (size > limitBytes) throw tooLarge(limitBytes);
      if (hasTooManyChunks) throw tooManyChunks(limitBytes);
      look(part);
      blocks.add(part);
      waitForTurn(source, length);
    } catch (error) {
      refuse(error as Error);
    }
  };
  const giveUp = () => refuse(signal?.reason);
  const stop = () => {
    stopJudging();
    signal?.removeEventListener("abort", giveUp);
  };
  const finish = () => {
    if (isCut(source)) return refuse(tooManyChunks(limitBytes));
    stop();
    onEnd?.();
    resolve(blocks);
  };
  const refuse = (error: Error) => {
    stop();
    source.off("data", take).off("end", finish);
    inTurn.delete(source);
    blocks.drop();
    // Reading more small chunks would cost what their refusal is to prevent.
    if (hasTooManyChunks) stopReading(source);
    else discard(source);
    reject(error);
  };
  const judge = () => {
    const atMs = nowMs();
    const leftMs = silenceLeft(judged.leftMs, atMs - judged.atMs, size - judged.size, pace);
    judged = { atMs, size, leftMs };
    if (leftMs < 0) refuse(new Failure("request_timeout"));
    else stopJudging = clock.after(JUDGED_EVERY_MS, judge);
  };

  source.on("error", refuse);
  if (announcedBytes > limitBytes) refuse(tooLarge(limitBytes));
  else {
    source.on("data", take).on("end", finish);
    signal?.addEventListener("abort", giveUp);
    // At random: bodies that begin together would otherwise be refused together, and others wait for those refusals.
    stopJudging = clock.after(Math.random() * JUDGED_EVERY_MS, judge);
  }
  return promise;
}

const tooLarge = (limitBytes: number): Failure => new Failure("payload_too_large", { details: { limitBytes } });

const tooManyChunks = (limitBytes: number): Failure =>
  new Failure("payload_too_large", {
    details: { limitBytes },
    hint: `Send larger chunks, or a Content-Length: a body may have ${limits.smallChunks} chunks, and one more for each ${limits.smallChunkBytes} bytes.`,
  });

/** Bytes of bodies that are taken in one turn of the event loop, and what each that stops then brings on top. */
const TURN_BYTES = 256 * 1024;

const inTurn = new Set<Readable>();
let takenInTurn = 0;

/**
 * Stops a body for the rest of the turn of the event loop if much was taken in it. Node.js would read 2 MiB from each
 * connection in a turn, and other requests would wait for that.
 */
function waitForTurn(source: Readable, bytes: number): void {
  if (takenInTurn === 0) setImmediate(beginTurn);
  takenInTurn += Math.max(bytes, limits.smallChunkBytes);
  if (takenInTurn < TURN_BYTES) return;
  source.pause();
  inTurn.add(source);
}

function beginTurn(): void {
  takenInTurn = 0;
  const sources = [...inTurn];
  inTurn.clear();
  for (const source of sources) source.resume();
}
