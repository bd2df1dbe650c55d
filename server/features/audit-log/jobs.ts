import { limits } from "../../../contract/limits.ts";
import { type JobRow, runPeriodically } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import { removeEvents } from "./store.ts";

const EVERY_SECONDS = 3_600;
/** Rows removed in one statement. */
const BATCH = 1_000;
const DAY_MS = 86_400_000;

/** What the worker runs for the audit log: it forgets what is older than the limit, in small batches. */
export const auditLogJobs = ({ clock, pool }: Services): JobRow[] => [
  runPeriodically("remove-old-audit-events", EVERY_SECONDS, async (signal) => {
    const before = new Date(clock.now().getTime() - limits.auditLogDays * DAY_MS);
    let removed = BATCH;
    while (removed === BATCH && !signal.aborted) removed = await removeEvents(pool, before, BATCH);
  }),
];
