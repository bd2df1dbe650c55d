import { monotonicMs } from "../../../platform/clock.ts";
import { type Claimed, SLOW_MS } from "./claim-store.ts";

/** Leased deliveries that wait longer than this, in milliseconds, for a slot of their endpoint are given back. */
const LATE_MS = 1_000;

/** A delivery that this process has leased. */
export interface Leased {
  readonly claimed: Claimed;
  /** When the claim was sent, on the monotonic clock. */
  readonly sentMs: number;
  /** Its endpoint counted as quick, and has begun to stall. */
  isStalled: boolean;
}

/** One endpoint: what this process sends to it, and what waits for a slot. */
interface Lane {
  slots: number;
  readonly underWay: Set<Leased>;
  /** When the last request ended, or the first one began where none was under way, on the monotonic clock. */
  movedMs: number;
  readonly waiting: Leased[];
}

/** The endpoints to which this process sends: it has no more requests under way to one than that has slots. */
export interface Lanes {
  /** Sends a leased delivery as soon as its endpoint has a slot. */
  add(leased: Leased): void;
  /** Gives those back that have waited too long, or whose endpoint stalls. */
  giveBackLate(): void;
  /** Gives all back that wait, and from now on all that are added. */
  stop(): void;
}

interface LanesOptions {
  /** Sends a delivery; resolves to whether its endpoint hangs. Never throws. */
  readonly send: (leased: Leased) => Promise<boolean>;
  /** `stalledMs`: for how long its endpoint has not responded, if that is why. */
  readonly giveBack: (leased: Leased, stalledMs: number) => void;
  /** An endpoint stalls, with these requests under way; called again while it does. */
  readonly onStall: (underWay: Iterable<Leased>) => void;
  /** An attempt begins at most this long after the claim was sent, in milliseconds. */
  readonly withinMs: number;
}

export function createLanes({ send, giveBack, onStall, withinMs }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let isStopped = false;

  /** For how long an endpoint has not responded, in milliseconds; 0 if that is no longer than quick ones take. */
  const stalledMs = ({ underWay, movedMs }: Lane): number => {
    const quietMs = monotonicMs() - movedMs;
    return underWay.size > 0 && quietMs > SLOW_MS ? quietMs : 0;
  };

  const goOn = (webhookId: string, lane: Lane): void => {
    const stalled = stalledMs(lane);
    for (let next = lane.waiting[0]; next; next = lane.waiting[0]) {
      // Where it counts as slow, nothing was leased ahead: there is a slot for it.
      const isAhead = stalled > 0 && !next.claimed.isSlow;
      if (!isStopped && !isAhead && lane.underWay.size >= lane.slots) break;
      lane.waiting.shift();
      // The process may have been paused: then another one may hold the lease.
      if (isStopped || isAhead || monotonicMs() - next.sentMs > withinMs) giveBack(next, isAhead ? stalled : 0);
      else void run(next, lane);
    }
    if (lane.waiting.length === 0 && lane.underWay.size === 0) lanes.delete(webhookId);
  };

  const run = async (leased: Leased, lane: Lane): Promise<void> => {
    if (lane.underWay.size === 0) lane.movedMs = monotonicMs();
    lane.underWay.add(leased);
    const hangs = await send(leased);
    lane.underWay.delete(leased);
    lane.movedMs = monotonicMs();
    if (hangs) {
      lane.slots = 1;
      for (const waiting of lane.waiting.splice(0)) giveBack(waiting, 0);
    }
    goOn(leased.claimed.webhookId, lane);
  };

  return {
    add(leased) {
      const { webhookId, slots } = leased.claimed;
      const lane = lanes.get(webhookId) ?? { slots: 0, underWay: new Set(), movedMs: 0, waiting: [] };
      lanes.set(webhookId, lane);
      lane.slots = slots;
      lane.waiting.push(leased);
      goOn(webhookId, lane);
    },
    giveBackLate() {
      const nowMs = monotonicMs();
      for (const [webhookId, lane] of lanes) {
        if (stalledMs(lane) > 0) onStall(lane.underWay);
        else {
          const late = lane.waiting.filter(({ sentMs }) => nowMs - sentMs > LATE_MS);
          for (const leased of late) giveBack(leased, 0);
          if (late.length > 0) lane.waiting.splice(0, late.length);
        }
        goOn(webhookId, lane);
      }
    },
    stop() {
      isStopped = true;
      for (const [webhookId, lane] of lanes) goOn(webhookId, lane);
    },
  };
}
