import { write, writeSync } from "node:fs";
import { monotonicMs, systemClock } from "./clock.ts";

/** Takes complete log lines, each with its line break. Never throws, and never blocks except in `flushSync`. */
export interface LogStream {
  write(line: string): void;
  /** Writes what is still waiting, for at most half a second: for a process that is about to end. */
  flushSync(): void;
}

/** Bytes that may wait while the file or pipe is slow; further lines are dropped. */
const MOST_WAITING_BYTES = 1 << 20;
/** Time until the next try to write to a pipe whose reader is slow. */
const BUSY_PAUSE_MS = 50;
const LONGEST_FLUSH_MS = 500;
const TOO_SLOW = "too slow";
const LINE_BREAK = 10;

/** Lines to write, after a report of those dropped before. */
interface Batch {
  readonly bytes: Buffer;
  readonly reportBytes: number;
  /** How many dropped lines the report counts. */
  readonly reported: number;
  written: number;
}

/**
 * Writes lines to the file descriptor `fd`, one batch at a time. A line that cannot be written (the disk is full, the
 * reader of a pipe is gone or does not read) is dropped and counted, so that a log never stops the service. The next
 * batch that can be written begins with the line that `describeLoss` makes.
 */
export function createLogStream(
  fd: number,
  describeLoss: (droppedLines: number, reason: string) => string,
  mostWaitingBytes = MOST_WAITING_BYTES,
): LogStream {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let reason = "";
  // Whether the last write ended in the middle of a line.
  let torn = false;
  // The batch being written, and how to cancel its next try while it waits for one.
  let current: Batch | undefined;
  let callOff: (() => void) | undefined;

  const drop = (lines: number, why: string) => {
    dropped += lines;
    reason = why;
  };
  const nextBatch = (): Batch | undefined => {
    if (waiting.length === 0) return undefined;
    const report = Buffer.from(`${torn ? "\n" : ""}${dropped > 0 ? describeLoss(dropped, reason) : ""}`);
    const bytes = Buffer.concat([report, Buffer.from(waiting.join(""))]);
    waiting = [];
    waitingBytes = 0;
    return { bytes, reportBytes: report.length, reported: dropped, written: 0 };
  };
  /** Ends a batch: drops what was not written of it, for the reason `why`. */
  const close = ({ bytes, reportBytes, reported, written }: Batch, why: string) => {
    if (written >= reportBytes) dropped -= reported;
    if (written > 0) torn = bytes[written - 1] !== LINE_BREAK;
    if (written < bytes.length) drop(countLines(bytes.subarray(Math.max(written, reportBytes))), why);
  };
  /** Handles the result of one write; returns whether the batch has ended. */
  const settle = (batch: Batch, error: unknown, bytes: number): boolean => {
    if (error && codeOf(error) === "EAGAIN") return false;
    batch.written += bytes;
    if (!error && batch.written < batch.bytes.length) return false;
    close(batch, codeOf(error));
    return true;
  };
  const writeNext = () => {
    current ??= nextBatch();
    if (current === undefined) return;
    const batch = current;
    write(fd, batch.bytes, batch.written, (error, bytes) => {
      if (settle(batch, error, error ? 0 : bytes)) current = undefined;
      if (!error || current === undefined) return writeNext();
      const cancel = systemClock.after(BUSY_PAUSE_MS, () => {
        callOff = undefined;
        writeNext();
      });
      callOff = cancel;
    });
  };

  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > mostWaitingBytes) return drop(1, TOO_SLOW);
      waiting.push(line);
      waitingBytes += bytes;
      if (current === undefined) writeNext();
    },
    flushSync() {
      // A batch that another thread is writing is left to it: the process waits for that thread before it ends.
      const paused = callOff !== undefined;
      callOff?.();
      callOff = undefined;
      let batch = paused ? current : nextBatch();
      const endMs = monotonicMs() + LONGEST_FLUSH_MS;
      while (batch !== undefined && monotonicMs() < endMs) {
        const { error, bytes } = tryToWrite(fd, batch);
        if (settle(batch, error, bytes)) batch = nextBatch();
        else if (error) blockFor(BUSY_PAUSE_MS / 10);
      }
      if (batch !== undefined) close(batch, TOO_SLOW);
      if (paused) current = undefined;
    },
  };
}

function tryToWrite(fd: number, { bytes, written }: Batch): { error: unknown; bytes: number } {
  try {
    return { error: undefined, bytes: writeSync(fd, bytes, written) };
  } catch (error) {
    return { error, bytes: 0 };
  }
}

const countLines = (bytes: Buffer): number => bytes.reduce((lines, byte) => lines + (byte === LINE_BREAK ? 1 : 0), 0);

const blockFor = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);
