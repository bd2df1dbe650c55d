import type { Clock } from "../../platform/clock.ts";

/**
 * Bounds how many requests are under way to each endpoint, so that none takes the worker's places from the others. The
 * bound begins low, grows with every answer and is halved by every time-out; an endpoint that hangs is soon down to one.
 */
export interface Lanes {
  /** Takes a place, at once or after a moment; false: the endpoint has more to do than it gets through. */
  enter(endpoint: string): boolean | Promise<boolean>;
  /** Gives the place back after an attempt of `durationMs` milliseconds. */
  leave(endpoint: string, durationMs: number, timedOut: boolean): void;
  /** How many more the endpoint could take on now without delay. */
  room(endpoint: string): number;
  /** Whether the endpoint gets through what waits for it within moments. */
  isQuick(endpoint: string): boolean;
}

const FIRST_LIMIT = 4;
const LIMIT = 32;
/** Longest wait for a place; who would wait longer does not wait here. */
const WAIT_MS = 250;
/** Weight of the latest attempt in the moving average of durations. */
const SMOOTHING = 0.2;
/** Of an endpoint that is not known yet, the best is expected: it is found out within one wait. */
const FIRST_MEAN_MS = 2;
/** Endpoints slower than this share a part of the worker's places, so that many of them together leave room for the rest. */
const SLOW_MS = 1_000;
const SLOW_PLACES = 200;
/** Endpoints remembered while nothing is under way to them. */
const REMEMBERED = 10_000;

interface Lane {
  limit: number;
  meanMs: number;
  underWay: number;
  readonly waiting: Set<(entered: boolean) => void>;
}

export function createLanes(clock: Clock): Lanes {
  const lanes = new Map<string, Lane>();
  let slowUnderWay = 0;

  const laneOf = (endpoint: string): Lane => {
    const lane = lanes.get(endpoint) ?? { limit: FIRST_LIMIT, meanMs: FIRST_MEAN_MS, underWay: 0, waiting: new Set() };
    lanes.set(endpoint, lane);
    return lane;
  };
  const isSlow = (lane: Lane): boolean => lane.meanMs > SLOW_MS;
  const hasPlace = (lane: Lane): boolean =>
    lane.underWay < lane.limit && !(isSlow(lane) && slowUnderWay >= SLOW_PLACES);
  /** How many may wait so that the last of them gets a place in time. */
  const queueLength = (lane: Lane): number => Math.floor((WAIT_MS * lane.limit) / lane.meanMs);

  /** Changes a lane, keeping the count of what is under way on slow ones. */
  const change = (lane: Lane, alter: () => void): void => {
    if (isSlow(lane)) slowUnderWay -= lane.underWay;
    alter();
    if (isSlow(lane)) slowUnderWay += lane.underWay;
  };
  const take = (lane: Lane): void => change(lane, () => void lane.underWay++);

  const wait = (lane: Lane): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = clock.after(WAIT_MS, () => {
        // It is slower than its past: nobody else should wait in vain.
        change(lane, () => {
          lane.meanMs = Math.max(lane.meanMs, WAIT_MS * lane.limit);
        });
        end(false);
      });
      const end = (entered: boolean) => {
        cancel();
        lane.waiting.delete(end);
        resolve(entered);
      };
      lane.waiting.add(end);
    });

  const forgetSome = (): void => {
    for (const [endpoint, lane] of lanes) {
      if (lanes.size <= REMEMBERED) return;
      if (lane.underWay === 0 && lane.waiting.size === 0) lanes.delete(endpoint);
    }
  };

  return {
    enter(endpoint) {
      const lane = laneOf(endpoint);
      if (!hasPlace(lane)) return lane.waiting.size < queueLength(lane) ? wait(lane) : false;
      take(lane);
      return true;
    },
    leave(endpoint, durationMs, timedOut) {
      const lane = laneOf(endpoint);
      change(lane, () => {
        lane.underWay -= 1;
        lane.meanMs += (durationMs - lane.meanMs) * SMOOTHING;
        lane.limit = timedOut ? Math.max(1, Math.floor(lane.limit / 2)) : Math.min(LIMIT, lane.limit + 1);
      });
      for (const enter of lane.waiting) {
        if (!hasPlace(lane)) break;
        take(lane);
        enter(true);
      }
      if (lanes.size > REMEMBERED) forgetSome();
    },
    room(endpoint) {
      const lane = laneOf(endpoint);
      if (lane.waiting.size > 0 || !hasPlace(lane)) return 0;
      return lane.limit - lane.underWay + queueLength(lane);
    },
    isQuick: (endpoint) => laneOf(endpoint).meanMs < WAIT_MS,
  };
}
