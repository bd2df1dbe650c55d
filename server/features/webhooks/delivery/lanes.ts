import { monotonicMs } from "../../../platform/clock.ts";
import type { Claimed } from "./claim-store.ts";

/** Leased deliveries that wait longer than this, in milliseconds, for a slot of their endpoint are given back. */
const LATE_MS = 1_000;

interface Waiting {
  readonly claimed: Claimed;
  /** When the claim was sent, on the monotonic clock. */
  readonly sentMs: number;
}

/** One endpoint: what this process sends to it, and what waits for a slot. */
interface Lane {
  slots: number;
  underWay: number;
  readonly waiting: Waiting[];
}

/** The endpoints to which this process sends: it has no more requests under way to one than that has slots. */
export interface Lanes {
  /** Sends a leased delivery as soon as its endpoint has a slot; `sentMs` is when the claim was sent. */
  add(claimed: Claimed, sentMs: number): void;
  /** Gives those back that have waited too long. */
  giveBackLate(): void;
  /** Gives all back that wait, and from now on all that are added. */
  stop(): void;
}

interface LanesOptions {
  /** Sends a delivery; resolves to whether its endpoint hangs. Never throws. */
  readonly send: (claimed: Claimed) => Promise<boolean>;
  readonly giveBack: (claimed: Claimed) => void;
  /** An attempt begins at most this long after the claim was sent, in milliseconds. */
  readonly withinMs: number;
}

export function createLanes({ send, giveBack, withinMs }: LanesOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let isStopped = false;

  const goOn = (webhookId: string, lane: Lane): void => {
    while (lane.waiting.length > 0 && (isStopped || lane.underWay < lane.slots)) {
      const { claimed, sentMs } = lane.waiting.shift() as Waiting;
      // The process may have been paused: then another one may hold the lease.
      if (isStopped || monotonicMs() - sentMs > withinMs) giveBack(claimed);
      else void run(claimed, lane);
    }
    if (lane.waiting.length === 0 && lane.underWay === 0) lanes.delete(webhookId);
  };

  const run = async (claimed: Claimed, lane: Lane): Promise<void> => {
    lane.underWay += 1;
    const hangs = await send(claimed);
    lane.underWay -= 1;
    if (hangs) {
      lane.slots = 1;
      for (const { claimed } of lane.waiting.splice(0)) giveBack(claimed);
    }
    goOn(claimed.webhookId, lane);
  };

  return {
    add(claimed, sentMs) {
      const lane = lanes.get(claimed.webhookId) ?? { slots: 0, underWay: 0, waiting: [] };
      lanes.set(claimed.webhookId, lane);
      lane.slots = claimed.slots;
      lane.waiting.push({ claimed, sentMs });
      goOn(claimed.webhookId, lane);
    },
    giveBackLate() {
      const nowMs = monotonicMs();
      for (const [webhookId, lane] of lanes) {
        const late = lane.waiting.filter(({ sentMs }) => nowMs - sentMs > LATE_MS);
        for (const { claimed } of late) giveBack(claimed);
        if (late.length > 0) lane.waiting.splice(0, late.length);
        goOn(webhookId, lane);
      }
    },
    stop() {
      isStopped = true;
      for (const [webhookId, lane] of lanes) goOn(webhookId, lane);
    },
  };
}
