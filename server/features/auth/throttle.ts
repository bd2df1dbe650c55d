import { createHmac } from "node:crypto";
import type { Queryable } from "../../db/database.ts";
import { addressGroup } from "../../http/callers/client-address.ts";
import { Failure } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import {
  addTry,
  dropCounts,
  isKnown,
  type NewCount,
  notePair,
  readCounts,
  type TryCount,
  takeBackTry,
} from "./throttle-store.ts";

/**
 * Waits that grow with the tries: after using up the limit of a minute, a caller waits for the next minute, the next
 * time for the next quarter of an hour, and then for the next hour; never longer. `times` the limit fit in a window.
 */
const WINDOWS = [
  { ms: 60_000, times: 1 },
  { ms: 900_000, times: 2 },
  { ms: 3_600_000, times: 4 },
] as const;

/**
 * How many times more links registrations may cause than other requests, because many users who register may share an
 * address.
 */
const REGISTRATIONS = 10;

/** How long an address stays known to an account after the last sign-in. */
export const KNOWN_MS = 90 * 86_400_000;
/** How old the record of a known address may be before a sign-in renews it: most sign-ins write nothing. */
const RENEW_MS = 86_400_000;

/** The counters, each separate; also the name of the limit in the response's headers. */
export type Counted = "failed-passwords" | "mail-requests" | "registration-mails";

/** Who tries what: an account, from a client address. */
export interface Try {
  /** The account's address, normalized; an address without an account counts in the same way. */
  readonly email: string;
  /** Address of the client. */
  readonly ip: string;
}

/** Counts tries per account and per client address. Every refusal is `rate_limited` (429) and says how long to wait. */
export interface Throttle {
  /** Refuses if the limit is reached. */
  check(tried: Try): Promise<void>;
  /**
   * Counts the try before its outcome is known, so that simultaneous tries cannot all pass, and returns a function that
   * reverts this. Refuses without counting if the limit is reached.
   */
  count(tried: Try): Promise<(db: Queryable) => Promise<void>>;
  /**
   * Counts one for the client address alone; returns whether it was within the limits. Beyond them it counts nothing.
   */
  allows(ip: string): Promise<boolean>;
  /**
   * Records that the account was opened from this address: from now on others' failures do not block its owner there.
   * Returns whether it was known before.
   */
  remember(db: Queryable, tried: Try, now: Date): Promise<boolean>;
  /** Resets the tries of the account, from this address too: its owner has proved their identity. */
  forgive(db: Queryable, tried: Try): Promise<void>;
}

interface Counter {
  readonly counter: Buffer;
  /** What it counts: the account from everywhere, the client address for every account, or both together. */
  readonly kind: "account" | "address" | "pair";
  readonly windowMs: number;
  readonly limit: number;
}

const beginning = (counters: readonly Counter[], now: Date): NewCount[] =>
  counters.map(({ counter, windowMs }) => ({ counter, resetsAt: new Date(now.getTime() + windowMs) }));

/**
 * The counters are rows of the database: they hold across processes and restarts. A caller at an address from which the
 * account was opened before is judged only by the tries of that address on that account, and for requested mails by
 * those of the address on every account too. Everybody else is judged by all tries on the account and all tries of the
 * address. Why: `docs/decisions/sign-in-throttling.md`.
 */
export function createThrottle({ config, clock, pool, throttleKey }: Services, counted: Counted): Throttle {
  const perMinute = config.rateLimitAuthPerMinute * (counted === "registration-mails" ? REGISTRATIONS : 1);
  const digest = (...words: (string | number)[]) =>
    createHmac("sha256", throttleKey).update(JSON.stringify(words)).digest();

  const countersOf = ({ email, ip }: Try): Counter[] => {
    const group = addressGroup(ip);
    const subjects = [
      ["account", email],
      ["address", group],
      ["pair", email, group],
    ] as const;
    return subjects.flatMap(([kind, ...words]) =>
      WINDOWS.map(({ ms, times }) => {
        const counter = digest(counted, kind, ms, ...words);
        return { counter, kind, windowMs: ms, limit: perMinute * times };
      }),
    );
  };
  // Anybody may register from an address and be known there, so the mails caused by an address are limited in any case.
  const holdsKnown: readonly Counter["kind"][] = counted === "mail-requests" ? ["pair", "address"] : ["pair"];
  const pairOf = ({ email, ip }: Try) => digest("known", email, addressGroup(ip));

  /** Returns the refusal for counts that `isFull` says are used up; null if there is none. */
  async function judge(
    tried: Try,
    counters: readonly Counter[],
    counts: readonly TryCount[],
    now: Date,
    isFull: (count: TryCount, limit: number) => boolean,
  ): Promise<Failure | null> {
    const full = counts.flatMap((count) => {
      const counter = counters.find((row) => row.counter.equals(count.counter));
      return counter && isFull(count, counter.limit) ? [{ ...counter, resetsAt: count.resetsAt }] : [];
    });
    if (full.length === 0) return null;
    const known = await isKnown(pool, pairOf(tried), new Date(now.getTime() - KNOWN_MS));
    const holding = known ? full.filter(({ kind }) => holdsKnown.includes(kind)) : full;
    const longest = holding.sort((a, b) => b.resetsAt.getTime() - a.resetsAt.getTime())[0];
    if (longest === undefined) return null;
    const seconds = Math.max(1, Math.ceil((longest.resetsAt.getTime() - now.getTime()) / 1000));
    return new Failure("rate_limited", {
      headers: {
        "retry-after": String(seconds),
        ratelimit: `"${counted}";r=0;t=${seconds}`,
        "ratelimit-policy": `"${counted}";q=${longest.limit};w=${longest.windowMs / 1000}`,
      },
    });
  }

  return {
    async check(tried) {
      const now = clock.now();
      const counters = countersOf(tried);
      const counts = await readCounts(pool, counters);
      const refusal = await judge(
        tried,
        counters,
        counts,
        now,
        ({ tries, resetsAt }, limit) => tries >= limit && resetsAt > now,
      );
      if (refusal) throw refusal;
    },
    async count(tried) {
      const now = clock.now();
      const counters = countersOf(tried);
      const counts = await addTry(pool, beginning(counters, now), now);
      const refusal = await judge(tried, counters, counts, now, ({ tries }, limit) => tries > limit);
      if (refusal === null) return (on) => takeBackTry(on, counts);
      await takeBackTry(pool, counts);
      throw refusal;
    },
    async allows(ip) {
      const now = clock.now();
      const counters = countersOf({ email: "", ip }).filter(({ kind }) => kind === "address");
      const counts = await addTry(pool, beginning(counters, now), now);
      const limitOf = (count: TryCount) => counters.find(({ counter }) => counter.equals(count.counter))?.limit ?? 0;
      const within = counts.every((count) => count.tries <= limitOf(count));
      if (!within) await takeBackTry(pool, counts);
      return within;
    },
    async remember(on, tried, now) {
      const known = await isKnown(on, pairOf(tried), new Date(now.getTime() - KNOWN_MS));
      await notePair(on, pairOf(tried), now, new Date(now.getTime() - RENEW_MS));
      return known;
    },
    forgive: (on, tried) =>
      dropCounts(
        on,
        countersOf(tried).flatMap(({ kind, counter }) => (kind === "address" ? [] : [counter])),
      ),
  };
}
