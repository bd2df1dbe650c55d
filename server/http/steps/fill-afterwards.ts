import { isDeepStrictEqual } from "node:util";
import type { Filling } from "../../../contract/endpoint.ts";
import { limits } from "../../../contract/limits.ts";
import { ThreadLost, ThreadsBusy } from "../../platform/threads.ts";
import type { ThreadReply, ThreadRequest } from "../in-thread.ts";
import { whenClosed } from "../when-closed.ts";
import { slotsOn } from "./held-slots.ts";
import type { Answered, Exchange, Mounting, Step, Wrap } from "./step.ts";

/** Time of the request that is reserved for sending the answer. */
const SENDING_MS = 1_000;

type Fields = Record<string, unknown>;

/**
 * Fills a field of the answered record after the change is committed and its turn is over, from a list that a thread makes.
 * The change is stored, so nothing fails here any more: without a slot, in time, or if the record has changed since, the
 * field stays null.
 */
export const fillAfterwards: Step<Wrap, Mounting> = ({ fills }, { scheduleThreads, services: { clock, config } }) => {
  if (!fills) return null;
  const take = slotsOn(scheduleThreads, limits.simulationsPerUser);

  const ask = async (exchange: Exchange, waitMs: number): Promise<ThreadReply | null> => {
    const { request, reply } = exchange;
    const userId = request.actor?.userId ?? "";
    const release = take(userId);
    if (!release) return null;
    const given = new AbortController();
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<null>();
    const stop = () => {
      given.abort();
      giveUp(null);
    };
    const cancel = clock.after(waitMs, stop);
    whenClosed(request, reply, stop);
    let begun: Date | undefined;
    const onBegin = () => {
      begun = clock.now();
    };
    const work = { caller: userId, question: questionOf(exchange, fills), onBegin };
    const answered = scheduleThreads
      .run<ThreadReply>(work, given.signal)
      .catch((error: unknown) => {
        if (error instanceof ThreadsBusy || error instanceof ThreadLost) return null;
        throw error;
      })
      // Work that has begun keeps its slot until it ends, whoever waits for it.
      .finally(release);
    try {
      return await Promise.race([answered, givenUp]);
    } finally {
      cancel();
      // Waiting for other requests does not count.
      if (begun) request.spentMs += Math.max(0, clock.now().getTime() - begun.getTime());
    }
  };

  return async (exchange, next) => {
    const answer = await next(exchange);
    const data = dataOf(answer);
    if (!data) return answer;
    const leftMs = exchange.now.getTime() + config.requestTimeoutSeconds * 1_000 - SENDING_MS - clock.now().getTime();
    const reply = leftMs > 0 ? await ask(exchange, Math.min(leftMs, limits.fillSeconds * 1_000)) : null;
    const record = reply?.status === 200 ? foundIn(reply, fills, data[fills.record] as Fields) : undefined;
    return record ? withData(answer, { ...data, [fills.record]: record }) : answer;
  };
};

/** Returns the data of a success that may lack something. */
function dataOf({ isWhole, fromThread, data }: Answered): Fields | null {
  if (!fromThread) return isWhole ? null : (data as Fields);
  return fromThread.status < 300 ? envelopeOf(fromThread).data : null;
}

const envelopeOf = ({ body }: ThreadReply): { readonly data: Fields } =>
  JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString());

function withData(answer: Answered, data: Fields): Answered {
  const { fromThread } = answer;
  if (!fromThread) return { ...answer, data };
  const body = new Uint8Array(Buffer.from(JSON.stringify({ ...envelopeOf(fromThread), data })));
  return { ...answer, fromThread: { ...fromThread, body } };
}

/** Returns the record of the list that is otherwise the same as `stored`. */
function foundIn(reply: ThreadReply, { list, field }: Filling, stored: Fields): Fields | undefined {
  const without = (record: Fields) => ({ ...record, [field]: null });
  const listed = envelopeOf(reply).data[list] as readonly Fields[];
  return listed.find((record) => isDeepStrictEqual(without(record), without(stored)));
}

function questionOf({ request, now }: Exchange, { from }: Filling): ThreadRequest {
  const { id } = request.params as { readonly id: string };
  if (!request.actor) throw new Error("a row with `fills` needs a caller");
  return {
    method: "GET",
    url: from.replace(":id", encodeURIComponent(id)),
    headers: { "x-request-id": request.id },
    body: undefined,
    actor: request.actor,
    clientAddress: request.clientAddress,
    arrivedAt: now.getTime(),
  };
}
