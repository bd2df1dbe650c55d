import type { Clock } from "../../../platform/clock.ts";
import { createPace, createSlots, type Share } from "./shares.ts";

/**
 * Bounds how many requests this process has under way to each endpoint and for each owner of endpoints, so that none takes
 * the worker's slots from the others.
 *
 * An endpoint begins with few slots and gets one more with every answer that comes in good time; one that hangs has a single
 * slot until it answers again. Endpoints that are slow, hang or are not known yet together have a part of the worker's slots.
 */
export interface Lanes {
  /** Takes a slot, at once or after a moment; null: there is none. */
  enter(endpoint: Endpoint): Slot | null | Promise<Slot | null>;
  /** How many more the endpoint could take on now without delay. Where a share lacks, the endpoint is noted for its turn. */
  room(endpoint: Endpoint): number;
  /**
   * Who may go on after a request of `endpoint` ended: those that were turned away before, the one that waits longest
   * first, and then the endpoint itself. `wants` tells who still has something to send.
   */
  turnsAfter(endpoint: Endpoint, wants: (endpoint: Endpoint) => boolean): Endpoint[];
  /** Whether the endpoint gets through what waits for it within moments. */
  isQuick(endpoint: Endpoint): boolean;
}

export interface Endpoint {
  readonly webhookId: string;
  readonly ownerId: string;
}

/** The right to one request. */
export interface Slot {
  /** Gives it back; `passage` is null where nothing was sent, which tells nothing of the endpoint. */
  leave(passage: Passage | null): void;
}

/** How an attempt went, as far as it tells what the endpoint bears. */
export interface Passage {
  readonly durationMs: number;
  readonly failed: boolean;
  readonly timedOut: boolean;
}

/** What is known of an endpoint. */
export interface Lane {
  readonly endpoint: Endpoint;
  readonly owner: Owner;
  slots: number;
  underWay: number;
  /** How long the last request took, in milliseconds; infinite: it hung; null: none was sent yet. */
  lastMs: number | null;
  /** Somebody waited for a slot in vain since the last request ended. */
  stalled: boolean;
  readonly waiting: Set<(slot: Slot | null) => void>;
}

interface Owner {
  readonly quickSlots: Share;
  readonly slowSlots: Share;
  readonly pace: Share;
  /** Lanes in which somebody waits, the next one first. */
  readonly waiting: Set<Lane>;
}

/** Slots of an endpoint at first, and at the most. */
const FIRST_SLOTS = 4;
const SLOTS = 32;
/**
 * An answer within this time gets the endpoint one slot more; after a later one it stays with what it has. Where it works
 * on few requests at a time, more slots would only let more of them time out.
 */
const COMFORTABLE_MS = 3_000;
/** Slots of all quick endpoints of an owner; of all others of an owner; and of those of all owners together. */
const OWNER_QUICK_SLOTS = 64;
const OWNER_SLOW_SLOTS = 32;
const SLOW_SLOTS = 200;
/** Endpoints whose last request took longer are slow. */
const SLOW_MS = 1_000;
/** Longest wait for a slot; who would wait longer does not wait here. */
const WAIT_MS = 250;
/** Most that are called for one endpoint at once, however quick it is: they go before what others send meanwhile. */
const MOST_ROOM = 200;
/** Endpoints, and owners, remembered while nothing is under way to them. */
const REMEMBERED = 10_000;

export function createLanes(clock: Clock, perMinute: number): Lanes {
  const lanes = new Map<string, Lane>();
  const owners = new Map<string, Owner>();
  let mostOwners = REMEMBERED;
  const slowSlots = createSlots(SLOW_SLOTS);

  const ownerOf = (ownerId: string): Owner => {
    const owner = owners.get(ownerId) ?? {
      quickSlots: createSlots(OWNER_QUICK_SLOTS),
      slowSlots: createSlots(OWNER_SLOW_SLOTS),
      pace: createPace(clock, perMinute),
      waiting: new Set<Lane>(),
    };
    owners.set(ownerId, owner);
    return owner;
  };
  const laneOf = (endpoint: Endpoint): Lane => {
    const lane = lanes.get(endpoint.webhookId) ?? {
      endpoint,
      owner: ownerOf(endpoint.ownerId),
      slots: FIRST_SLOTS,
      underWay: 0,
      lastMs: null,
      stalled: false,
      waiting: new Set(),
    };
    lanes.set(endpoint.webhookId, lane);
    return lane;
  };

  const isSlow = ({ lastMs }: Lane): boolean => lastMs === null || lastMs > SLOW_MS;
  const sharesOf = (lane: Lane): Share[] => [
    lane.owner.pace,
    ...(isSlow(lane) ? [lane.owner.slowSlots, slowSlots] : [lane.owner.quickSlots]),
  ];
  /** Whether a request may begin; where a share is used up, the endpoint is noted for its turn. */
  const mayBegin = (lane: Lane): boolean => {
    if (lane.underWay >= lane.slots) return false;
    const lacking = sharesOf(lane).find((share) => share.free() <= 0);
    lacking?.turnedAway.add(lane);
    return lacking === undefined;
  };
  /** How many may wait so that the last of them gets a slot in time. */
  const queueLength = (lane: Lane): number =>
    isSlow(lane) || lane.stalled ? 0 : Math.floor((WAIT_MS * lane.slots) / Math.max(1, lane.lastMs ?? 1));

  const take = (lane: Lane): Slot => {
    const shares = sharesOf(lane);
    for (const share of shares) share.take();
    lane.underWay += 1;
    return {
      leave(passage) {
        for (const share of shares) share.giveBack();
        lane.underWay -= 1;
        lane.stalled = false;
        if (passage) learn(lane, passage);
        admitWaiting(lane.owner);
        forgetSome();
      },
    };
  };

  /** Gives slots that are free to those who wait, one to each endpoint in turn. */
  const admitWaiting = ({ waiting }: Owner): void => {
    for (const lane of waiting) {
      const [enter] = lane.waiting;
      if (!enter || !mayBegin(lane)) continue;
      waiting.delete(lane);
      enter(take(lane));
      // At the end, where this loop comes to it again.
      if (lane.waiting.size > 0) waiting.add(lane);
    }
  };

  const wait = (lane: Lane): Promise<Slot | null> =>
    new Promise((resolve) => {
      const end = (slot: Slot | null) => {
        cancel();
        lane.waiting.delete(end);
        if (lane.waiting.size === 0) lane.owner.waiting.delete(lane);
        resolve(slot);
      };
      const cancel = clock.after(WAIT_MS, () => {
        // Nothing has come back for a while: nobody else should wait in vain.
        lane.stalled = true;
        end(null);
      });
      lane.waiting.add(end);
      lane.owner.waiting.add(lane);
    });

  const forgetSome = (): void => {
    if (lanes.size > REMEMBERED) {
      for (const [id, lane] of lanes) if (lane.underWay === 0) lanes.delete(id);
    }
    if (owners.size > mostOwners) {
      const used = new Set([...lanes.values()].map(({ owner }) => owner));
      for (const [id, owner] of owners) if (!used.has(owner) && owner.pace.free() === perMinute) owners.delete(id);
      // Where most are in use, not at every request.
      mostOwners = Math.max(REMEMBERED, 2 * owners.size);
    }
  };

  return {
    enter(endpoint) {
      const lane = laneOf(endpoint);
      if (mayBegin(lane)) return take(lane);
      // Where nothing is under way, or the minute is used up, nothing tells that a request may begin again.
      const mayWait = lane.underWay > 0 && lane.owner.pace.free() > 0;
      return mayWait && lane.waiting.size < queueLength(lane) ? wait(lane) : null;
    },
    room(endpoint) {
      const lane = laneOf(endpoint);
      if (lane.waiting.size > 0 || !mayBegin(lane)) return 0;
      const parts = sharesOf(lane).map((share) => partOf(share, lane));
      return Math.min(lane.slots - lane.underWay + queueLength(lane), MOST_ROOM, ...parts);
    },
    turnsAfter(endpoint, wants) {
      const lane = laneOf(endpoint);
      const contended = sharesOf(lane).filter(({ turnedAway }) => turnedAway.size > 0);
      for (const { turnedAway } of contended) turnedAway.add(lane);
      const turns = contended.length === 0 ? [endpoint] : [];
      const { pace, quickSlots, slowSlots: ownersSlowSlots } = lane.owner;
      for (const share of [pace, quickSlots, ownersSlowSlots, slowSlots]) {
        let free = share.free();
        for (const next of share.turnedAway) {
          if (free <= 0) break;
          share.turnedAway.delete(next);
          if (!wants(next.endpoint)) continue;
          turns.push(next.endpoint);
          free -= 1;
        }
      }
      return turns;
    },
    isQuick: (endpoint) => {
      const { lastMs, stalled } = laneOf(endpoint);
      return lastMs !== null && lastMs < WAIT_MS && !stalled;
    },
  };
}

/** How much of a share one endpoint may call for: where others were turned away as well, each has its part. */
function partOf({ free, turnedAway }: Share, lane: Lane): number {
  const claimants = turnedAway.has(lane) ? turnedAway.size : turnedAway.size + 1;
  return Math.ceil(free() / claimants);
}

function learn(lane: Lane, { durationMs, failed, timedOut }: Passage): void {
  // A name server that keeps silent, or a proxy that gives its backend up, hangs as the endpoint itself does.
  const hung = timedOut || (failed && durationMs > SLOW_MS);
  lane.lastMs = hung ? Number.POSITIVE_INFINITY : durationMs;
  if (hung) lane.slots = 1;
  else if (durationMs <= COMFORTABLE_MS) lane.slots = Math.min(SLOTS, lane.slots + 1);
}
