import { type JobRow, runPeriodically } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import { recomputeStored } from "../estimations/index.ts";
import { hoursOfVersions } from "./store.ts";

/** After an upgrade, the first run comes within this time. A run that finds nothing reads one page of an index. */
const RECOMPUTE_SECONDS = 60;

/** The jobs that the worker runs for versions. */
export const versionJobs = ({ pool, log }: Services): JobRow[] => [
  runPeriodically("recompute-hours-of-versions", RECOMPUTE_SECONDS, async (signal) => {
    const recomputed = await recomputeStored(pool, hoursOfVersions, signal);
    if (recomputed > 0) log.info({ recomputed }, "hours of versions were computed anew with this version's formula");
  }),
];
