import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { untilAborted } from "./streams.ts";

/** Proxies close connections that are silent for a minute. The credential of the caller is checked again as often. */
const HEARTBEAT_SECONDS = 15;
/** A reader who takes nothing of what is to be sent for so long is cut off. */
const SLOW_SECONDS = 30;

interface Options {
  readonly signal: AbortSignal;
  readonly serialize: (value: unknown) => string;
  readonly clock: Clock;
  /** Calls `end` when the caller's credential is no longer valid. Returns how to stop watching. */
  readonly watchCredential: (end: () => void) => () => void;
}

/** Something to send: an event, or a comment that only shows that the connection is alive. */
type Sent = { readonly value: unknown } | "heartbeat";

/**
 * Sends values as server-sent events, as they come, until there are no more, the signal is aborted, or the caller's
 * credential is no longer valid. A heartbeat goes out every `HEARTBEAT_SECONDS`; who does not read is cut off.
 */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  values: AsyncIterable<unknown>,
  { signal, serialize, clock, watchCredential }: Options,
): FastifyReply {
  async function* text() {
    const revoked = new AbortController();
    const stopWatching = watchCredential(() => revoked.abort());
    try {
      const shown = untilAborted(values, AbortSignal.any([signal, revoked.signal]));
      for await (const sent of withHeartbeat(shown, clock)) {
        const bytes = Buffer.from(
          sent === "heartbeat" ? ": alive\n\n" : `event: progress\ndata: ${serialize(sent.value)}\n\n`,
        );
        request.streamedBytes += bytes.length;
        // It goes on when there is room for more.
        const cancel = clock.after(SLOW_SECONDS * 1_000, () => reply.raw.destroy());
        try {
          yield bytes;
        } finally {
          cancel();
        }
      }
    } finally {
      stopWatching();
    }
  }
  // A proxy that collects a response before it sends it on would hold the events back.
  reply.header("x-accel-buffering", "no");
  return reply.type("text/event-stream").send(Readable.from(text(), { objectMode: false }));
}

/** Yields the values, and heartbeats at the given interval. */
async function* withHeartbeat(values: AsyncGenerator<unknown>, clock: Clock): AsyncGenerator<Sent> {
  let beat = Promise.withResolvers<"heartbeat">();
  const schedule = () => clock.after(HEARTBEAT_SECONDS * 1_000, () => beat.resolve("heartbeat"));
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
