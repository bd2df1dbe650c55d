import { defineJob, ENDLESS_RUNS, Interrupted, type Run } from "../../jobs/job.ts";
import type { Services } from "../../services/index.ts";
import { endRecovery, findRecovery, type Position, recoverSome } from "./redeliver-store.ts";

export interface RecoveryJob {
  readonly recoveryId: number;
}

export const recoverJob = defineJob<RecoveryJob>("redeliver-failed-webhooks", { maxRuns: ENDLESS_RUNS });

/** Deliveries created in one transaction. */
const PAGE = 500;

/**
 * Sends again the deliveries that an order covers, page by page, so that no transaction is long. An interrupted run
 * starts again from the beginning and skips what it already did, because those bodies have a later delivery.
 */
export const createRecover =
  ({ clock, pool, ids, log }: Services): Run<RecoveryJob> =>
  async ({ recoveryId }, { signal }) => {
    let after: Position | null = null;
    for (;;) {
      if (signal.aborted) throw new Interrupted();
      // Read again for every page: deactivating or deleting the webhook stops it.
      const recovery = await findRecovery(pool, recoveryId);
      if (!recovery) break;
      const page = Array.from({ length: PAGE }, () => ids.next("delivery"));
      const part = { recovery, ids: page, after, now: clock.now() };
      after = await pool.transaction((tx): Promise<Position | null> => recoverSome(tx, part));
      if (after === null) break;
    }
    await endRecovery(pool, recoveryId);
    log.debug({ recoveryId }, "failed deliveries of a webhook are on their way again");
  };
