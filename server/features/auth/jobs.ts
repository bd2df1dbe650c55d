import type { JobRow } from "../../jobs/job.ts";
import { removePeriodically, untilFewer } from "../../jobs/removals.ts";
import type { Services } from "../../services.ts";
import { forgetMailedTokens } from "./mailed-tokens.ts";
import { KNOWN_MS } from "./throttle.ts";
import { forgetCounts, forgetPairs } from "./throttle-store.ts";

const FORGET_SECONDS = 600;

/** The jobs that the worker runs for accounts: they remove expired tokens and counters. */
export function authJobs({ clock, pool }: Services): JobRow[] {
  return [
    removePeriodically("forget-tries", FORGET_SECONDS, () => {
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
