import { type JobRow, runJob } from "../../jobs/job.ts";
import { removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Mailer } from "../../platform/mail.ts";
import type { Services } from "../../services.ts";
import { forgetMailedTokens } from "./mailed-tokens.ts";
import { createSendMail, type OtherAccessOf, sendMailJob } from "./send-mail.ts";
import { KNOWN_MS } from "./throttle.ts";
import { forgetCounts, forgetPairs } from "./throttle-store.ts";

const FORGET_SECONDS = 600;

/**
 * What the worker runs for accounts: it sends their mails, and removes tokens and counts whose time is over.
 * `otherAccessOf` is for the mails that say what else opens an account.
 */
export function authJobs(services: Services, mailer: Mailer, otherAccessOf: OtherAccessOf): JobRow[] {
  const { clock, pool } = services;
  return [
    runJob(sendMailJob, createSendMail(services, mailer, otherAccessOf)),
    removePeriodically("forget-sign-in-attempts", FORGET_SECONDS, () => {
      const now = clock.now();
      const known = new Date(now.getTime() - KNOWN_MS);
      return [
        untilFewer((rows) => forgetCounts(pool, now, rows)),
        untilFewer((rows) => forgetPairs(pool, known, rows)),
        untilFewer((rows) => forgetMailedTokens(pool, now, rows)),
      ];
    }),
  ];
}
