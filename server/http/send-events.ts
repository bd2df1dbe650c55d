import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { limits } from "../../contract/limits.ts";
import type { Clock } from "../platform/clock.ts";
import { untilAborted } from "./send-lines.ts";

interface Options {
  readonly signal: AbortSignal;
  readonly serialize: (value: unknown) => string;
  readonly clock: Clock;
  /** Whether the caller's credential is still valid. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/** Something to send: an event, or a comment that only shows that the connection is alive. */
type Sent = { readonly value: unknown } | "heartbeat";

/**
 * Sends values as server-sent events, as they come, until there are no more or the signal is aborted. A heartbeat goes out
 * every `limits.heartbeatSeconds`; the stream ends at the first one at which the caller's credential is no longer valid.
 */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  values: AsyncIterable<unknown>,
  { signal, serialize, clock, isStillAllowed }: Options,
): FastifyReply {
  async function* text() {
    for await (const sent of withHeartbeat(untilAborted(values, signal), clock)) {
      if (sent === "heartbeat" && !(await isStillAllowed())) return;
      const bytes = Buffer.from(
        sent === "heartbeat" ? ": alive\n\n" : `event: progress\ndata: ${serialize(sent.value)}\n\n`,
      );
      request.streamedBytes += bytes.length;
      yield bytes;
    }
  }
  // A proxy that collects an answer before it sends it on would hold the events back.
  reply.header("x-accel-buffering", "no");
  return reply.type("text/event-stream").send(Readable.from(text(), { objectMode: false }));
}

/** Yields the values, and heartbeats at the given interval. */
async function* withHeartbeat(values: AsyncGenerator<unknown>, clock: Clock): AsyncGenerator<Sent> {
  let beat = Promise.withResolvers<"heartbeat">();
  const schedule = () => clock.after(limits.heartbeatSeconds * 1_000, () => beat.resolve("heartbeat"));
  let cancel = schedule();
  let next = values.next();
  try {
    for (;;) {
      const come = await Promise.race([next, beat.promise]);
      if (come === "heartbeat") {
        yield come;
        beat = Promise.withResolvers();
        cancel = schedule();
      } else if (come.done) {
        return;
      } else {
        yield { value: come.value };
        next = values.next();
      }
    }
  } finally {
    cancel();
    values.return(undefined).catch(() => {});
  }
}
