import { coalesce } from "../../../jobs/coalesce.ts";
import type { Services } from "../../../services.ts";
import { type Beginning, noteBegun } from "./begun-store.ts";
import type { LeasedJob } from "./store.ts";

interface Attempt extends Beginning {
  isOver: boolean;
}

/**
 * Returns a function that records, while the request is being sent, that an attempt starts. It returns a function to
 * call when the attempt is over. That one resolves once the record is written, which must precede the outcome, or was
 * skipped because it came too late.
 */
export function createNoteBegun({ pool, clock, log }: Pick<Services, "pool" | "clock" | "log">) {
  const note = coalesce(async (attempts: readonly Attempt[]): Promise<undefined[]> => {
    const underWay = attempts.filter(({ isOver }) => !isOver);
    if (underWay.length > 0) await noteBegun(pool, underWay);
    return attempts.map(() => undefined);
  });
  return (leased: LeasedJob): (() => Promise<void>) => {
    const attempt: Attempt = { leased, startedAt: clock.now(), isOver: false };
    const noted = note(attempt).catch((error) => {
      // The log may then lack an interrupted attempt; the delivery itself does not depend on it.
      log.debug({ err: error, deliveryId: leased.job.deliveryId }, "the beginning of an attempt was not noted");
    });
    return () => {
      attempt.isOver = true;
      return noted;
    };
  };
}
