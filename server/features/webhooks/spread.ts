import { defineJob, ENDLESS_RUNS, Interrupted, type Run } from "../../jobs/job.ts";
import { pause, systemClock } from "../../platform/clock.ts";
import type { Services } from "../../services/index.ts";
import { enqueueReceptions } from "./enqueue.ts";
import { lockPart, notePart, readPart } from "./spread-store.ts";

/** Writes the deliveries of events with very many receivers. */
export const spreadJob = defineJob<object>("spread-webhook-events", { maxRuns: ENDLESS_RUNS });

/** Deliveries created in one transaction. */
const BATCH = 100;
/**
 * Deliveries created per second: sending them then takes a fifth of a processor, and requests in the same process are
 * served in between.
 */
const PER_SECOND = 1_000;

/**
 * Goes through everything that is to be spread, a batch of each sender in turn, and of each sender in the order of the
 * events. A batch and the note of how far it went are one transaction, so a run that is repeated, or runs beside another
 * one, goes on where that one stopped.
 */
export function createSpread(
  { pool, ids, log }: Pick<Services, "pool" | "ids" | "log">,
  perSecond = PER_SECOND,
): Run<object> {
  let running = false;
  /** Whether another event came while this ran: its job ended at once, because this run sees to it. */
  let again = false;

  /** Writes one batch of the sender after `sender`. Returns that sender, and the number of deliveries; null if there is none. */
  const spreadSome = (sender: string | null) =>
    pool.transaction(async (tx): Promise<{ senderId: string; deliveries: number } | null> => {
      const part = await lockPart(tx, sender);
      if (part === null) return null;
      const read = await readPart(tx, part, BATCH);
      const { eventId, senderId } = part;
      const { occurrence, receivers } = read ?? { receivers: [] };
      if (occurrence)
        await enqueueReceptions(
          tx,
          ids,
          receivers.map((receiver) => ({ eventId, occurrence, senderId, receiver })),
        );
      await notePart(tx, part, receivers.length < BATCH ? null : (receivers.at(-1)?.id ?? null));
      return { senderId, deliveries: receivers.length };
    });

  const spreadAll = async (signal: AbortSignal): Promise<void> => {
    let sender: string | null = null;
    for (;;) {
      if (signal.aborted) throw new Interrupted();
      const some = await spreadSome(sender);
      if (some === null && sender === null) return;
      sender = some?.senderId ?? null;
      if (some) await pause(systemClock, (1_000 * some.deliveries) / perSecond);
    }
  };

  return async (_, { signal }) => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        await spreadAll(signal);
      }
    } finally {
      running = false;
    }
    log.debug("events with very many receivers are on their way");
  };
}
