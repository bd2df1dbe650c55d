import { type JobRow, runPeriodically } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import { removeExpired } from "./store.ts";

const EVERY_SECONDS = 60;
/** Rows of each table removed in one go. */
const BATCH = 1_000;

/** What the worker runs for signing in: it removes codes and finished sign-ins whose time is over, in small batches. */
export const googleSignInJobs = ({ clock, pool }: Services): JobRow[] => [
  runPeriodically("remove-expired-sign-ins", EVERY_SECONDS, async (signal) => {
    let removed = BATCH;
    while (removed >= BATCH && !signal.aborted) removed = await removeExpired(pool, clock.now(), BATCH);
  }),
];
