import { type JobRow, runPeriodically } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import { recomputeHours } from "./recompute-hours.ts";

/** How long after an upgrade the first run may come; a run that finds nothing reads one page of an index. */
const RECOMPUTE_SECONDS = 60;

/** What the worker runs for estimations. */
export const estimationJobs = ({ pool, log }: Services): JobRow[] => [
  runPeriodically("recompute-hours", RECOMPUTE_SECONDS, async (signal) => {
    const recomputed = await recomputeHours(pool, signal);
    if (recomputed > 0) log.info({ recomputed }, "hours of estimations were computed anew with this version's formula");
  }),
];
