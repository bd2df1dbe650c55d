import type { Clock } from "../../../platform/clock.ts";

/**
 * Bounds how many requests this process has under way to each endpoint, so that none takes the worker's slots from the
 * others. The bound begins low, grows with every answer and is halved by every attempt that hung; an endpoint that hangs
 * is soon down to one.
 */
export interface Lanes {
  /** Takes a slot, at once or after a moment; false: the endpoint has more to do than it gets through. */
  enter(endpoint: string): boolean | Promise<boolean>;
  /** Gives the slot back; `passage` is null where nothing was sent, which tells nothing of the endpoint. */
  leave(endpoint: string, passage: Passage | null): void;
  /**
   * How many more the endpoint could take on now without delay. One that lacks only a slot of those that slow endpoints
   * share is noted, and gets its turn.
   */
  room(endpoint: string): number;
  /**
   * Who may go on after `endpoint` gave a slot back: itself, but where slow endpoints share the last slots, it comes
   * after those that were turned away before. `wants` tells who still has something to send.
   */
  turnsAfter(endpoint: string, wants: (endpoint: string) => boolean): string[];
  /** Whether the endpoint gets through what waits for it within moments. */
  isQuick(endpoint: string): boolean;
}

/** How an attempt went, as far as it tells what the endpoint bears. */
export interface Passage {
  readonly durationMs: number;
  readonly failed: boolean;
  readonly timedOut: boolean;
}

const FIRST_LIMIT = 4;
const LIMIT = 32;
/** Longest wait for a slot; who would wait longer does not wait here. */
const WAIT_MS = 250;
/** Weight of the latest attempt in the moving average of durations. */
const SMOOTHING = 0.2;
/** Of an endpoint that is not known yet, the best is expected: it is found out within one wait. */
const FIRST_MEAN_MS = 2;
/** Endpoints slower than this share a part of the worker's slots, so that many of them together leave room for the rest. */
const SLOW_MS = 1_000;
const SLOW_SLOTS = 200;
/** Most that are called for one endpoint at once, however quick it is: they go before what others send meanwhile. */
const MOST_ROOM = 200;
/** Endpoints remembered while nothing is under way to them, and those that wait for a slot of the slow ones. */
const REMEMBERED = 10_000;

interface Lane {
  limit: number;
  meanMs: number;
  underWay: number;
  readonly waiting: Set<(entered: boolean) => void>;
  /** Set while it is watched whether anything comes back. */
  unwatch: (() => void) | null;
}

export function createLanes(clock: Clock): Lanes {
  const lanes = new Map<string, Lane>();
  /** Slow endpoints that found none of the slots they share, the one that waits longest first. */
  const turnedAway = new Set<string>();
  let slowUnderWay = 0;

  const laneOf = (endpoint: string): Lane => {
    const lane = lanes.get(endpoint) ?? {
      limit: FIRST_LIMIT,
      meanMs: FIRST_MEAN_MS,
      underWay: 0,
      waiting: new Set(),
      unwatch: null,
    };
    lanes.set(endpoint, lane);
    return lane;
  };
  const isSlow = (lane: Lane): boolean => lane.meanMs > SLOW_MS;
  /** How many the lane may begin now. */
  const slotsOf = (lane: Lane): number =>
    Math.max(0, Math.min(lane.limit - lane.underWay, isSlow(lane) ? SLOW_SLOTS - slowUnderWay : LIMIT));
  /** Whether the lane may begin one now; it gets its turn where only the slots lack that slow ones share. */
  const hasSlot = (endpoint: string, lane: Lane): boolean => {
    if (slotsOf(lane) > 0) return true;
    if (lane.underWay < lane.limit && turnedAway.size < REMEMBERED) turnedAway.add(endpoint);
    return false;
  };
  /** How many may wait so that the last of them gets a slot in time. */
  const queueLength = (lane: Lane): number => (isSlow(lane) ? 0 : Math.floor((WAIT_MS * lane.limit) / lane.meanMs));

  /** Changes a lane, keeping the count of what is under way on slow ones. */
  const change = (lane: Lane, alter: () => void): void => {
    if (isSlow(lane)) slowUnderWay -= lane.underWay;
    alter();
    if (isSlow(lane)) slowUnderWay += lane.underWay;
  };
  const take = (lane: Lane): void => change(lane, () => void lane.underWay++);
  const slowDown = (lane: Lane, meanMs: number): void =>
    change(lane, () => {
      lane.meanMs = Math.max(lane.meanMs, meanMs);
    });

  /** Nobody got a slot for a moment. It may be a hitch; where nothing comes back for longer, the endpoint counts as slow. */
  const noteStall = (lane: Lane): void => {
    // It is slower than its past: nobody else should wait in vain.
    slowDown(lane, Math.min(WAIT_MS * lane.limit, SLOW_MS));
    lane.unwatch ??= clock.after(SLOW_MS, () => slowDown(lane, SLOW_MS + 1));
  };
  const endWatch = (lane: Lane): void => {
    lane.unwatch?.();
    lane.unwatch = null;
  };

  const wait = (lane: Lane): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = clock.after(WAIT_MS, () => {
        noteStall(lane);
        end(false);
      });
      const end = (entered: boolean) => {
        cancel();
        lane.waiting.delete(end);
        resolve(entered);
      };
      lane.waiting.add(end);
    });

  const learn = (lane: Lane, { durationMs, failed, timedOut }: Passage): void => {
    lane.meanMs += (durationMs - lane.meanMs) * SMOOTHING;
    // A name server that keeps silent, or a proxy that gives its backend up, hangs as the endpoint itself does.
    const hung = timedOut || (failed && durationMs > SLOW_MS);
    lane.limit = hung ? Math.max(1, Math.floor(lane.limit / 2)) : Math.min(LIMIT, lane.limit + 1);
  };

  const forgetSome = (): void => {
    for (const [endpoint, lane] of lanes) {
      if (lanes.size <= REMEMBERED) return;
      if (lane.underWay === 0 && lane.waiting.size === 0) lanes.delete(endpoint);
    }
  };

  return {
    enter(endpoint) {
      const lane = laneOf(endpoint);
      if (!hasSlot(endpoint, lane)) return lane.waiting.size < queueLength(lane) ? wait(lane) : false;
      take(lane);
      return true;
    },
    leave(endpoint, passage) {
      const lane = laneOf(endpoint);
      endWatch(lane);
      change(lane, () => {
        lane.underWay -= 1;
        if (passage) learn(lane, passage);
      });
      for (const enter of lane.waiting) {
        if (!hasSlot(endpoint, lane)) break;
        take(lane);
        enter(true);
      }
      if (lanes.size > REMEMBERED) forgetSome();
    },
    room(endpoint) {
      const lane = laneOf(endpoint);
      if (lane.waiting.size > 0 || !hasSlot(endpoint, lane)) return 0;
      return Math.min(slotsOf(lane) + queueLength(lane), MOST_ROOM);
    },
    turnsAfter(endpoint, wants) {
      const free = SLOW_SLOTS - slowUnderWay;
      if (free <= 0 || turnedAway.size === 0) return [endpoint];
      const own = isSlow(laneOf(endpoint)) ? [] : [endpoint];
      if (own.length === 0) turnedAway.add(endpoint);
      const others: string[] = [];
      for (const next of turnedAway) {
        if (others.length === free) break;
        turnedAway.delete(next);
        if (wants(next)) others.push(next);
      }
      return [...own, ...others];
    },
    isQuick: (endpoint) => laneOf(endpoint).meanMs < WAIT_MS,
  };
}
