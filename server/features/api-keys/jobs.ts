import { limits } from "../../../contract/limits.ts";
import type { JobRow } from "../../jobs/job.ts";
import { removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { removeRevoked } from "./store.ts";

const EVERY_SECONDS = 3_600;
const DAY_MS = 86_400_000;

/** The job that the worker runs for API keys: it removes those that were revoked long ago. */
export const apiKeyJobs = ({ clock, pool }: Services): JobRow[] => [
  removePeriodically("remove-revoked-api-keys", EVERY_SECONDS, () => {
    const time = new Date(clock.now().getTime() - limits.revokedKeyDays * DAY_MS);
    return [untilFewer((rows) => removeRevoked(pool, time, rows))];
  }),
];
