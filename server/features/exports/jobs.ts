import { type JobRow, runJob, runPeriodically } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import { addStep, exportJob } from "./context.ts";
import { createRemoval, oldRunsJob } from "./old-runs.ts";
import { createRun, type Trackers } from "./run.ts";
import { idleRuns } from "./store.ts";

const REVIVE_SECONDS = 600;
/** A run without any change for this long may have lost its job; an additional job for it is harmless. */
const IDLE_MS = 2 * 3_600_000;
const REVIVED = 100;

/** The jobs that the worker runs for exports. */
export const exportJobs = (services: Services, trackers: Trackers): JobRow[] => [
  runJob(exportJob, createRun(services, trackers)),
  runJob(oldRunsJob, createRemoval(services)),
  runPeriodically("revive-exports", REVIVE_SECONDS, async () => {
    const { pool, clock } = services;
    const idle = await idleRuns(pool, IDLE_MS, clock.now(), REVIVED);
    for (const { id } of idle) await addStep(pool, id);
  }),
];
