import type { Clock } from "../../../platform/clock.ts";
import type { Lane } from "./lanes.ts";

/** A limited resource that several endpoints share. */
export interface Share {
  /** How many requests may start now. */
  free(): number;
  take(): void;
  giveBack(): void;
  /** Endpoints that found nothing free, the longest waiting one first. */
  readonly turnedAway: Set<Lane>;
}

/** Slots: each is held for the duration of a request. */
export function createSlots(limit: number): Share {
  let taken = 0;
  return {
    free: () => limit - taken,
    take: () => void taken++,
    giveBack: () => void taken--,
    turnedAway: new Set(),
  };
}

const MINUTE_SECONDS = 60;

/** A pace: at most `limit` requests start within any minute. Each counts for one minute, rounded up to seconds. */
export function createPace(clock: Clock, limit: number): Share {
  const begun: { readonly second: number; count: number }[] = [];
  let total = 0;
  const nowSecond = () => Math.floor(clock.now().getTime() / 1_000);
  /** Forgets entries that are over, and those in the future: the clock was set back. */
  const forget = (now: number): void => {
    for (let first = begun[0]; first && first.second < now - MINUTE_SECONDS; first = begun[0]) {
      total -= first.count;
      begun.shift();
    }
    for (let last = begun.at(-1); last && last.second > now; last = begun.at(-1)) {
      total -= last.count;
      begun.pop();
    }
  };
  return {
    free() {
      forget(nowSecond());
      return limit - total;
    },
    take() {
      const second = nowSecond();
      forget(second);
      const last = begun.at(-1);
      if (last?.second === second) last.count += 1;
      else begun.push({ second, count: 1 });
      total += 1;
    },
    giveBack() {},
    turnedAway: new Set(),
  };
}

/**
 * Moments of `ms` milliseconds: in each at most `limit` requests start. A moment begins when one is asked for after the one before
 * has ended, so up to twice as many may start close together, at the end of one and the beginning of the next.
 */
export function createMoments(clock: Clock, limit: number, ms: number): Share {
  let began = Number.NEGATIVE_INFINITY;
  let started = 0;
  const look = (): void => {
    const now = clock.now().getTime();
    // Also a new one if the clock was set back.
    if (now >= began && now < began + ms) return;
    began = now;
    started = 0;
  };
  return {
    free() {
      look();
      return limit - started;
    },
    take() {
      look();
      started += 1;
    },
    giveBack() {},
    turnedAway: new Set(),
  };
}
