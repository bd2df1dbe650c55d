import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { limits } from "../../../contract/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { fail } from "../failure.ts";

/** How long a reader may take for the rest of a stream whose time is over, in milliseconds. */
const LAST_BYTES_MS = 5_000;

/**
 * Returns the function that begins a stream for a request: it refuses more than `limits.streamsPerUser` (429), and
 * returns a signal that is aborted when the stream has to end: its reader is gone, its time is over, or the service
 * stops.
 */
export function createStreams(app: FastifyInstance, clock: Clock) {
  const counts = new Map<string, number>();
  const open = new Set<AbortController>();
  app.addHook("preClose", (done) => {
    for (const controller of open) controller.abort();
    done();
  });
  return (request: FastifyRequest, reply: FastifyReply, seconds: number): AbortSignal => {
    const { countedFor, socket } = request;
    const caller = countedFor ?? "";
    const count = counts.get(caller) ?? 0;
    if (count >= limits.streamsPerUser) fail("rate_limited", { headers: { "retry-after": "1" } });
    counts.set(caller, count + 1);
    const controller = new AbortController();
    open.add(controller);
    const cancels = [clock.after(seconds * 1_000, () => controller.abort())];
    controller.signal.addEventListener("abort", () => {
      const left = (counts.get(caller) ?? 1) - 1;
      if (left > 0) counts.set(caller, left);
      else counts.delete(caller);
      open.delete(controller);
      // A client that does not read would hold the stream open.
      cancels.push(clock.after(LAST_BYTES_MS, () => socket.destroy()));
    });
    const end = () => {
      controller.abort();
      for (const cancel of cancels) cancel();
    };
    if (socket.destroyed) end();
    else reply.raw.once("close", end);
    return controller.signal;
  };
}

/** Yields what `values` yields, and ends when the signal is aborted, also while it waits for the next value. */
export async function* untilAborted<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]();
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  signal.addEventListener("abort", () => resolve(null));
  if (signal.aborted) resolve(null);
  try {
    for (;;) {
      const next = await Promise.race([aborted, iterator.next()]);
      if (next === null || next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a generator that waits for something only returns after that.
    iterator.return?.()?.catch(() => {});
  }
}
