import { createHmac, hkdfSync } from "node:crypto";
import { Failure } from "../../http/failure.ts";
import { addressGroup } from "../../http/rate-limit.ts";
import type { Services } from "../../services.ts";
import { addFailure, type FailureCount, forgetFailures, readFailures, takeBackFailure } from "./store.ts";

const WINDOW_MS = 60_000;
/** More than one attempt can add, so that the table shrinks to the attempts of the last minute. */
const FORGOTTEN_AT_ONCE = 8;

/** Who tries a password on what. */
export interface Attempt {
  /** The account's address, normalized; one that no account has counts just the same. */
  readonly email: string;
  /** Address of the client. */
  readonly ip: string;
}

/** Counts failed passwords, per account and per client address. */
export interface Throttle {
  /** Refuses (429) where either counter is used up. */
  check(attempt: Attempt): Promise<void>;
  /**
   * Counts the attempt as failed before its outcome is known, so that attempts made at once cannot all slip through, and
   * answers how to take that back. Refuses (429), counting nothing, where either counter is used up.
   */
  count(attempt: Attempt): Promise<() => Promise<void>>;
  /** Clears away some counters whose minute is over. */
  tidy(): Promise<void>;
}

/**
 * A minute starts with the first failure and ends for good 60 seconds later. The counters are rows of the database: they
 * hold across processes and restarts.
 */
export function createThrottle({ config, clock, db, sessionSecret }: Services): Throttle {
  const limit = config.rateLimitAuthPerMinute;
  const key = Buffer.from(hkdfSync("sha256", sessionSecret, "", "failed-passwords", 32));
  const counterOf = (subject: string) => createHmac("sha256", key).update(subject).digest();
  const countersOf = ({ email, ip }: Attempt) => [
    counterOf(`account:${email}`),
    counterOf(`address:${addressGroup(ip)}`),
  ];
  const refusal = (full: readonly FailureCount[], now: Date): Failure => {
    const waitsMs = full.map(({ resetsAt }) => resetsAt.getTime() - now.getTime());
    const seconds = Math.max(1, Math.ceil(Math.max(...waitsMs) / 1000));
    return new Failure("rate_limited", {
      headers: {
        "retry-after": String(seconds),
        ratelimit: `"failed-passwords";r=0;t=${seconds}`,
        "ratelimit-policy": `"failed-passwords";q=${limit};w=${WINDOW_MS / 1000}`,
      },
    });
  };
  return {
    async check(attempt) {
      const now = clock.now();
      const counts = await readFailures(db, countersOf(attempt));
      const full = counts.filter(({ failures, resetsAt }) => failures >= limit && resetsAt > now);
      if (full.length > 0) throw refusal(full, now);
    },
    async count(attempt) {
      const now = clock.now();
      const counts = await addFailure(db, countersOf(attempt), now, new Date(now.getTime() + WINDOW_MS));
      const takeBack = async () => {
        for (const count of counts) await takeBackFailure(db, count);
      };
      const full = counts.filter(({ failures }) => failures > limit);
      if (full.length === 0) return takeBack;
      await takeBack();
      throw refusal(full, now);
    },
    tidy: () => forgetFailures(db, clock.now(), FORGOTTEN_AT_ONCE),
  };
}
