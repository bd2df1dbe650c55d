import { limits } from "../../../contract/limits.ts";
import { ThreadLost, ThreadsBusy } from "../../platform/threads.ts";
import { createParking, type Parked } from "../body/parking.ts";
import { fail } from "../failure.ts";
import type { Actor } from "../handler.ts";
import { LargeBody, NeedsThread, type ThreadReply, type ThreadRequest } from "../in-thread.ts";
import { whenClosed } from "../when-closed.ts";
import { slotsOn } from "./held-slots.ts";
import type { Exchange, Mounting, Step, Wrap } from "./step.ts";

const RETRY_SECONDS = "1";

/** The headers that later steps need. */
const HEADERS = ["content-type", "accept", "if-match", "if-none-match", "idempotency-key", "user-agent"];

const JSON_TYPE = { "content-type": "application/json" };

/**
 * Runs a request of a `heavy` row in a thread if its body or its tree is large; everything else continues here. The
 * thread parses and validates a large body, so that happens after the caller's right was checked.
 */
export const runInThread: Step<Wrap, Mounting> = (
  { heavy, simulates },
  { threads: usual, scheduleThreads, services: { clock } },
) => {
  if (!heavy) return null;
  const threads = simulates ? scheduleThreads : usual;
  const take = slotsOn(threads, simulates ? limits.simulationsPerUser : limits.largeRequestsPerUser);
  const ask = async (exchange: Exchange) => {
    const actor = exchange.request.actor ?? fail("authorization_missing");
    const gone = new AbortController();
    const release = take(actor.userId) ?? fail("rate_limited", { headers: { "retry-after": RETRY_SECONDS } });
    whenClosed(exchange.request, exchange.reply, () => {
      gone.abort();
      release();
    });
    const question = questionOf(exchange, actor);
    const transfer = question.body ? [question.body.port] : [];
    let begun: Date | undefined;
    const onBegin = () => {
      begun = clock.now();
    };
    try {
      const work = { caller: actor.userId, question, transfer, onBegin };
      return { fromThread: await threads.run<ThreadReply>(work, gone.signal) };
    } catch (error) {
      if (error instanceof ThreadsBusy || error instanceof ThreadLost) fail("service_unavailable");
      throw error;
    } finally {
      if (!begun) question.body?.port.close();
      // Waiting for other requests does not count.
      if (begun) exchange.request.spentMs += Math.max(0, clock.now().getTime() - begun.getTime());
    }
  };
  return async (exchange, next) => {
    if (exchange.body instanceof LargeBody) return await ask(exchange);
    try {
      return await next(exchange);
    } catch (error) {
      if (error instanceof NeedsThread) return await ask(exchange);
      throw error;
    }
  };
};

/** The bytes of a body, to be moved to a thread. */
function parkedOf(body: unknown): Parked {
  if (body instanceof LargeBody) return body.parked;
  const parking = createParking();
  parking.put(new Uint8Array(Buffer.from(JSON.stringify(body))));
  return parking.hand();
}

function questionOf({ request, now }: Exchange, actor: Actor): ThreadRequest {
  const { method, url, headers, clientAddress, id, body } = request;
  const sent = HEADERS.map((name) => [name, headers[name]]).filter(([, value]) => typeof value === "string");
  return {
    method,
    url,
    // An optional body that is absent has no type, and is read as an empty object.
    headers: { ...(body === undefined ? {} : JSON_TYPE), ...Object.fromEntries(sent), "x-request-id": id },
    body: body === undefined ? undefined : parkedOf(body),
    actor,
    clientAddress,
    arrivedAt: now.getTime(),
  };
}
