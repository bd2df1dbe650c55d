import type { JobRow } from "../../jobs/job.ts";
import { removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { DAY_MS, forgetInvitationMails } from "./held-store.ts";

const EVERY_SECONDS = 3_600;

/** The job that the worker runs for shares: it forgets mails that no longer count. */
export const shareJobs = ({ clock, pool }: Services): JobRow[] => [
  removePeriodically("forget-invitation-mails", EVERY_SECONDS, () => {
    const before = new Date(clock.now().getTime() - DAY_MS);
    return [untilFewer((rows) => forgetInvitationMails(pool, before, rows))];
  }),
];
