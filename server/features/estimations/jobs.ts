import type { JobRow } from "../../jobs/job.ts";
import { removePeriodically } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { type RemovePart, removeDeleted } from "./removal-store.ts";
import { keptSince } from "./trash.ts";

const REMOVE_SECONDS = 3_600;

/** The job that the worker runs for estimations. `parts` are the functions that remove what other features store about an estimation. */
export const estimationJobs = ({ config, clock, pool }: Services, parts: readonly RemovePart[]): JobRow[] => [
  removePeriodically("remove-deleted-estimations", REMOVE_SECONDS, () => {
    return [removeDeleted(pool, keptSince(config, clock.now()), parts)];
  }),
];
