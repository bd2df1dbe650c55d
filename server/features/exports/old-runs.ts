import type { Queryable } from "../../db/database.ts";
import { defineJob, Interrupted, type JobContext } from "../../jobs/job.ts";
import { addJob } from "../../jobs/job-store.ts";
import { removeInBatches } from "../../jobs/removals.ts";
import type { Services } from "../../services/index.ts";
import { removeOldRun } from "./old-runs-store.ts";

interface OfEstimation {
  readonly estimationId: string;
}

export const oldRunsJob = defineJob<OfEstimation>("remove-old-exports");

/** Adds the job that removes runs beyond the limits, in the transaction `tx` that ends one. */
export const addRemoval = (tx: Queryable, estimationId: string): Promise<void> =>
  addJob(tx, oldRunsJob, { estimationId }, { jobKey: `old-exports:${estimationId}` });

/** Removes the runs of an estimation that are beyond the limits, in small transactions. */
export const createRemoval =
  ({ pool }: Pick<Services, "pool">) =>
  async ({ estimationId }: OfEstimation, { signal }: Pick<JobContext, "signal">): Promise<void> => {
    const removal = (rows: number) => pool.transaction((tx) => removeOldRun(tx, estimationId, rows));
    await removeInBatches([removal], { signal, mostBatches: Number.POSITIVE_INFINITY });
    if (signal.aborted) throw new Interrupted();
  };
