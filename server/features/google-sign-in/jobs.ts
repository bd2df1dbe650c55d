import type { JobRow } from "../../jobs/job.ts";
import { removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { removeExpiredCodes, removeExpiredSignIns } from "./store.ts";

const EVERY_SECONDS = 60;

/** The jobs that the worker runs for signing in with Google: they remove expired codes and finished sign-ins. */
export const googleSignInJobs = ({ clock, pool }: Services): JobRow[] => [
  removePeriodically("remove-expired-sign-ins", EVERY_SECONDS, () => {
    const now = clock.now();
    return [
      untilFewer((rows) => removeExpiredCodes(pool, now, rows)),
      untilFewer((rows) => removeExpiredSignIns(pool, now, rows)),
    ];
  }),
];
