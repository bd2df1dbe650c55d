import { type Clock, pause, systemClock } from "../platform/clock.ts";
import { fail } from "./failure.ts";

/** Writes of one user to one record that may wait in this process; more are refused. */
const WAITING_PER_USER = 50;
/** Those of all users; beyond this number, only users who have none waiting may wait. */
const WAITING_MAX = 200;
/** How long a refusal is held back, so that a client that repeats it at once costs little: as long as it says to wait. */
const REFUSED_SECONDS = 1;

/** Writes that wait for one record, in order of arrival; the user who was served last comes last. */
interface Queue {
  readonly users: Map<string, (() => void)[]>;
  waiting: number;
}

/**
 * Runs the writes to one record, or the creations of one user, one after the other, before they take a connection: they
 * would wait for a lock anyway, but each holding a connection that other requests need. Users who wait take turns, so that
 * nobody waits for all requests of another user; the writes of one user run in order of arrival. Refuses a write if too
 * many of its user (429) or of all users (503) are waiting. Locks separate the writes of several processes; these turns
 * only save connections.
 */
export function createTurnsByRecord(
  clock: Clock = systemClock,
): <R>(record: string, userId: string, work: () => Promise<R>) => Promise<R> {
  /** One for each record that is being written. */
  const queues = new Map<string, Queue>();
  return async (record, userId, work) => {
    const queue = queues.get(record);
    if (queue) await turnIn(queue, userId, clock);
    else queues.set(record, { users: new Map(), waiting: 0 });
    try {
      return await work();
    } finally {
      const current = queues.get(record);
      if (!(current && beginNext(current))) queues.delete(record);
    }
  };
}

async function turnIn(queue: Queue, userId: string, clock: Clock): Promise<void> {
  const own = queue.users.get(userId) ?? [];
  const isOneTooMany = own.length >= WAITING_PER_USER;
  if (isOneTooMany || (own.length > 0 && queue.waiting >= WAITING_MAX)) {
    await pause(clock, REFUSED_SECONDS * 1_000);
    fail(isOneTooMany ? "rate_limited" : "service_unavailable", {
      headers: { "retry-after": String(REFUSED_SECONDS) },
    });
  }
  queue.users.set(userId, own);
  queue.waiting += 1;
  return new Promise((resolve) => own.push(resolve));
}

/** Gives the turn to the user who has waited longest since their last turn; returns false if nobody waits. */
function beginNext(queue: Queue): boolean {
  for (const [userId, own] of queue.users) {
    queue.users.delete(userId);
    const next = own.shift();
    if (!next) continue;
    if (own.length > 0) queue.users.set(userId, own);
    queue.waiting -= 1;
    next();
    return true;
  }
  return false;
}
