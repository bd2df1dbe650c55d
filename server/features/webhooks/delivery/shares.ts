import type { Clock } from "../../../platform/clock.ts";
import type { Lane } from "./lanes.ts";

/** Something of which there is only so much, and which several endpoints draw on. */
export interface Share {
  /** How many requests may begin now. */
  free(): number;
  take(): void;
  giveBack(): void;
  /** Endpoints that found nothing free, the one that waits longest first. */
  readonly turnedAway: Set<Lane>;
}

/** Slots: each is taken for the time of a request. */
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

/** A pace: at most `limit` requests begin within any minute. What was begun counts for a minute, rounded up to seconds. */
export function createPace(clock: Clock, limit: number): Share {
  const begun: { readonly second: number; count: number }[] = [];
  let total = 0;
  const nowSecond = () => Math.floor(clock.now().getTime() / 1_000);
  /** Forgets what is over, and what lies ahead: the clock was set back. */
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
