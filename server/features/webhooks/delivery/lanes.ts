import { type Clock, systemClock } from "../../../platform/clock.ts";
import { createMoments, createPace, createSlots, type Share } from "./shares.ts";

/**
 * Limits how many requests this process has under way to each endpoint and for each owner of endpoints, so that none
 * takes the worker's slots from the others.
 *
 * An endpoint starts with few slots and gets one more with every answer that comes soon enough. One that hangs has a
 * single slot until it answers again. Endpoints that are slow, hang or are not known yet share a part of the worker's
 * slots.
 */
export interface Lanes {
  /** Takes a slot, at once or after a moment; null if there is none. */
  enter(endpoint: Endpoint): Slot | null | Promise<Slot | null>;
  /**
   * Returns how many more requests the endpoint could start now. If a share is used up, the endpoint is queued for its
   * turn.
   */
  room(endpoint: Endpoint): number;
  /**
   * Returns which endpoints may go on after a request of `endpoint` ended: first those turned away before, the longest
   * waiting one first, then the endpoint itself. `wants` tells which still have something to send.
   */
  turnsAfter(endpoint: Endpoint, wants: (endpoint: Endpoint) => boolean): Endpoint[];
  /**
   * Sets what is called with endpoints that were turned away because their owner began so much in a moment, when the next
   * moment begins; it returns whether the endpoint still has something to send.
   */
  onMoment(goOn: (endpoint: Endpoint) => boolean): void;
  /** Returns whether the endpoint can finish within moments what waits for it. */
  isQuick(endpoint: Endpoint): boolean;
}

export interface Endpoint {
  readonly webhookId: string;
  readonly ownerId: string;
}

/** The right to one request. */
export interface Slot {
  /** Releases the slot. `passage` is null if nothing was sent, which says nothing about the endpoint. */
  leave(passage: Passage | null): void;
}

/** How an attempt went, as far as it shows how much load the endpoint can take. */
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
  /** How long the last request took, in milliseconds; infinite if it hung; null if none was sent yet. */
  lastMs: number | null;
  /** A request waited for a slot in vain since the last request ended. */
  stalled: boolean;
  readonly waiting: Set<(slot: Slot | null) => void>;
}

interface Owner {
  readonly quickSlots: Share;
  readonly slowSlots: Share;
  readonly pace: Share;
  readonly moment: Share;
  /** A timer runs that lets those go on that the moment turned away. */
  awaitsMoment: boolean;
  /** Lanes in which requests wait, in order of their turn. */
  readonly waiting: Set<Lane>;
}

/**
 * A moment, in milliseconds, in which an owner begins at most one of so many parts of the minute's limit. Otherwise the whole
 * limit would begin within two seconds, in which everybody else waits for the processor. A small limit is not divided.
 */
const MOMENT_MS = 250;
const MOMENTS = 48;
const FEWEST_IN_MOMENT = 20;
/** Slots of an endpoint: at first, and at most. */
const FIRST_SLOTS = 4;
const SLOTS = 32;
/**
 * An answer within this time, in milliseconds, gets the endpoint one slot more; a later one does not change its slots.
 * If the endpoint works on few requests at a time, more slots would only make more requests time out.
 */
const COMFORTABLE_MS = 3_000;
/**
 * Slots of all quick endpoints of one owner; of all its other endpoints; and of all other endpoints of all owners
 * together.
 */
const OWNER_QUICK_SLOTS = 64;
const OWNER_SLOW_SLOTS = 32;
const SLOW_SLOTS = 200;
/** Endpoints whose last request took longer, in milliseconds, are slow. */
const SLOW_MS = 1_000;
/** Longest wait for a slot, in milliseconds; a request that would wait longer is turned away. */
const WAIT_MS = 250;
/**
 * The most deliveries released for one endpoint at once, however quick it is: they go before what others send
 * meanwhile.
 */
const MOST_ROOM = 200;
/** The most endpoints, and owners, to remember while nothing is under way to them. */
const REMEMBERED = 10_000;

/** `momentClock` runs in real time even in tests that move `clock`: otherwise what a moment turns away would never go on. */
export function createLanes(clock: Clock, perMinute: number, momentClock: Clock = systemClock): Lanes {
  const perMoment = Math.max(FEWEST_IN_MOMENT, Math.ceil(perMinute / MOMENTS));
  let goOnInMoment = (_: Endpoint): boolean => false;
  const lanes = new Map<string, Lane>();
  const owners = new Map<string, Owner>();
  let mostOwners = REMEMBERED;
  const slowSlots = createSlots(SLOW_SLOTS);

  const ownerOf = (ownerId: string): Owner => {
    const owner = owners.get(ownerId) ?? {
      quickSlots: createSlots(OWNER_QUICK_SLOTS),
      slowSlots: createSlots(OWNER_SLOW_SLOTS),
      pace: createPace(clock, perMinute),
      moment: createMoments(momentClock, perMoment, MOMENT_MS),
      awaitsMoment: false,
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
    lane.owner.moment,
    ...(isSlow(lane) ? [lane.owner.slowSlots, slowSlots] : [lane.owner.quickSlots]),
  ];
  /** Returns whether a request may start; if a share is used up, the endpoint is queued for its turn. */
  const mayBegin = (lane: Lane): boolean => {
    if (lane.underWay >= lane.slots) return false;
    const lacking = sharesOf(lane).find((share) => share.free() <= 0);
    lacking?.turnedAway.add(lane);
    if (lacking === lane.owner.moment) awaitMoment(lane.owner);
    return lacking === undefined;
  };
  const awaitMoment = (owner: Owner): void => {
    if (owner.awaitsMoment) return;
    owner.awaitsMoment = true;
    momentClock.after(MOMENT_MS, () => {
      owner.awaitsMoment = false;
      // Those who wait in memory came first.
      admitWaiting(owner);
      const { moment } = owner;
      const gone: Lane[] = [];
      let free = moment.free();
      for (const lane of moment.turnedAway) {
        if (free <= 0) break;
        gone.push(lane);
        if (goOnInMoment(lane.endpoint)) free -= 1;
      }
      // Only now: each of them takes its part, which depends on how many there are.
      for (const lane of gone) moment.turnedAway.delete(lane);
      if (moment.turnedAway.size > 0) awaitMoment(owner);
    });
  };
  /** Returns how many requests may wait so that the last of them gets a slot in time. */
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

  /** Gives free slots to waiting requests, one to each endpoint in turn. */
  const admitWaiting = ({ waiting }: Owner): void => {
    for (const lane of waiting) {
      const [enter] = lane.waiting;
      if (!enter || !mayBegin(lane)) continue;
      waiting.delete(lane);
      enter(take(lane));
      // Moved to the end, where this loop reaches it again.
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
        // Nothing has come back for a while: no further request should wait in vain.
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
      // Only when most are in use, not on every request.
      mostOwners = Math.max(REMEMBERED, 2 * owners.size);
    }
  };

  return {
    enter(endpoint) {
      const lane = laneOf(endpoint);
      if (mayBegin(lane)) return take(lane);
      // If nothing is under way, or the limit of the minute or of the moment is used up, no request that ends lets another start.
      const mayWait = lane.underWay > 0 && lane.owner.pace.free() > 0 && lane.owner.moment.free() > 0;
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
      // Not those of the moment: they go on together when the next one begins, in few statements.
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
    onMoment(goOn) {
      goOnInMoment = goOn;
    },
    isQuick: (endpoint) => {
      const { lastMs, stalled } = laneOf(endpoint);
      return lastMs !== null && lastMs < WAIT_MS && !stalled;
    },
  };
}

/** Returns how much of a share one endpoint may use: if others were turned away too, each gets a part. */
function partOf({ free, turnedAway }: Share, lane: Lane): number {
  const sharers = turnedAway.has(lane) ? turnedAway.size : turnedAway.size + 1;
  return Math.ceil(free() / sharers);
}

function learn(lane: Lane, { durationMs, failed, timedOut }: Passage): void {
  // A name server that does not answer, or a proxy that gives up on its backend, counts as a hang of the endpoint.
  const hung = timedOut || (failed && durationMs > SLOW_MS);
  lane.lastMs = hung ? Number.POSITIVE_INFINITY : durationMs;
  if (hung) lane.slots = 1;
  else if (durationMs <= COMFORTABLE_MS) lane.slots = Math.min(SLOTS, lane.slots + 1);
}
