import type { JobRow } from "../../jobs/job.ts";
import { removePeriodically } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { type Forget, removeDeleted } from "./removal-store.ts";
import { keptSince } from "./trash.ts";

const REMOVE_SECONDS = 3_600;

/** The job that the worker runs for estimations. `forget` removes what other features store about estimations where no foreign key reaches it. */
export const estimationJobs = ({ config, clock, pool }: Services, forget: readonly Forget[]): JobRow[] => [
  removePeriodically("remove-deleted-estimations", REMOVE_SECONDS, () => {
    return [removeDeleted(pool, keptSince(config, clock.now()), forget)];
  }),
];
