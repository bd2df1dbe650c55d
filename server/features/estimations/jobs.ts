import { type JobRow, runPeriodically } from "../../jobs/job.ts";
import { removePeriodically } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { recomputeHours } from "./recompute-hours.ts";
import { type RemovePart, removeDeleted } from "./removal-store.ts";
import { keptSince } from "./trash.ts";

/** After an upgrade, the first run comes within this time. A run that finds nothing reads one page of an index. */
const RECOMPUTE_SECONDS = 60;

const REMOVE_SECONDS = 3_600;

/** The jobs that the worker runs for estimations. `parts` are the functions that remove what other features store about an estimation. */
export const estimationJobs = ({ config, clock, pool, log }: Services, parts: readonly RemovePart[]): JobRow[] => [
  removePeriodically("remove-deleted-estimations", REMOVE_SECONDS, () => {
    return [removeDeleted(pool, keptSince(config, clock.now()), parts)];
  }),
  runPeriodically("recompute-hours", RECOMPUTE_SECONDS, async (signal) => {
    const recomputed = await recomputeHours(pool, signal);
    if (recomputed > 0) log.info({ recomputed }, "hours of estimations were computed anew with this version's formula");
  }),
];
