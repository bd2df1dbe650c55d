import { type JobRow, runJob } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import { exportJob } from "./context.ts";
import { createRemoval, oldRunsJob } from "./old-runs.ts";
import { createRun, type Trackers } from "./run.ts";

/** The jobs that the worker runs for exports. */
export const exportJobs = (services: Services, trackers: Trackers): JobRow[] => [
  runJob(exportJob, createRun(services, trackers)),
  runJob(oldRunsJob, createRemoval(services)),
];
