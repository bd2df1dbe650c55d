import type { JobRow } from "../../jobs/job.ts";
import { removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { removeEvents } from "./store.ts";

const EVERY_SECONDS = 3_600;
const DAY_MS = 86_400_000;

/** The job that the worker runs for the audit log: it removes events older than the retention. */
export const auditLogJobs = ({ config, clock, pool }: Services): JobRow[] => [
  removePeriodically("remove-old-audit-events", EVERY_SECONDS, () => {
    const before = new Date(clock.now().getTime() - config.auditLogRetentionDays * DAY_MS);
    return [untilFewer((rows) => removeEvents(pool, before, rows))];
  }),
];
