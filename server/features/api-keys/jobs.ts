import { type JobRow, runPeriodically } from "../../jobs/job.ts";
import { removeInBatches, untilFewer } from "../../jobs/removals.ts";
import type { Services } from "../../services/index.ts";
import { keyExpiring } from "./expiry-mails.ts";
import { requestExpiryMails } from "./expiry-store.ts";

const HOUR_SECONDS = 3_600;

/** Returns the jobs of keys. */
export const keyJobs = ({ pool, clock }: Services): JobRow[] => [
  runPeriodically("mail-expiring-keys", HOUR_SECONDS, (signal) =>
    removeInBatches([untilFewer((rows) => requestExpiryMails(pool, keyExpiring, clock.now(), rows))], { signal }),
  ),
];
