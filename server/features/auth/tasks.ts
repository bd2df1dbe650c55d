import { runPeriodically, runTask, type TaskRow } from "../../jobs/task.ts";
import type { Mailer } from "../../platform/mail.ts";
import type { Services } from "../../services.ts";
import { forgetMailedTokens } from "./mailed-tokens.ts";
import { createSendMail, type StandingOf, sendMailTask } from "./send-mail.ts";
import { KNOWN_MS } from "./throttle.ts";
import { forgetCounts, forgetPairs } from "./throttle-store.ts";

const FORGET_SECONDS = 600;
/** Rows removed in one statement. */
const BATCH = 1_000;

/**
 * What the worker runs for accounts: it sends their mails, and forgets tokens and counts whose time is over. `standingOf` is
 * for the mails that say what else opens an account.
 */
export function authTasks(services: Services, mailer: Mailer, standingOf: StandingOf): TaskRow[] {
  const { clock, db } = services;
  return [
    runTask(sendMailTask, createSendMail(services, mailer, standingOf)),
    runPeriodically("forget-sign-in-attempts", FORGET_SECONDS, async (signal) => {
      const now = clock.now();
      const known = new Date(now.getTime() - KNOWN_MS);
      const sweeps = [
        () => forgetCounts(db, now, BATCH),
        () => forgetPairs(db, known, BATCH),
        () => forgetMailedTokens(db, now, BATCH),
      ];
      for (const sweep of sweeps) {
        let removed = BATCH;
        while (removed === BATCH && !signal.aborted) removed = await sweep();
      }
    }),
  ];
}
