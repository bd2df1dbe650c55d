import { type JobRow, runJob, runPeriodically } from "../../jobs/job.ts";
import type { Mailer } from "../../platform/mail.ts";
import type { Services } from "../../services.ts";
import { forgetMailedTokens } from "./mailed-tokens.ts";
import { createSendMail, type OtherAccessOf, sendMailJob } from "./send-mail.ts";
import { KNOWN_MS } from "./throttle.ts";
import { forgetCounts, forgetPairs } from "./throttle-store.ts";

const FORGET_SECONDS = 600;
/** Rows removed in one statement. */
const BATCH = 1_000;

/**
 * What the worker runs for accounts: it sends their mails, and forgets tokens and counts whose time is over. `otherAccessOf` is
 * for the mails that say what else opens an account.
 */
export function authJobs(services: Services, mailer: Mailer, otherAccessOf: OtherAccessOf): JobRow[] {
  const { clock, pool } = services;
  return [
    runJob(sendMailJob, createSendMail(services, mailer, otherAccessOf)),
    runPeriodically("forget-sign-in-attempts", FORGET_SECONDS, async (signal) => {
      const now = clock.now();
      const known = new Date(now.getTime() - KNOWN_MS);
      const sweeps = [
        () => forgetCounts(pool, now, BATCH),
        () => forgetPairs(pool, known, BATCH),
        () => forgetMailedTokens(pool, now, BATCH),
      ];
      for (const sweep of sweeps) {
        let removed = BATCH;
        while (removed === BATCH && !signal.aborted) removed = await sweep();
      }
    }),
  ];
}
