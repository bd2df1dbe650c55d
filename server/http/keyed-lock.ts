import { limits } from "../../contract/limits.ts";
import type { Clock } from "../platform/clock.ts";
import { Failure } from "./failure.ts";

interface Waiter {
  readonly userId: string;
  readonly begin: () => void;
}

interface Lock {
  holder: string;
  /** In order of arrival. */
  readonly waiting: Waiter[];
}

/** Runs `work` while it alone holds the lock `key`, for a user. */
export type KeyedLock = <R>(key: string, userId: string, work: () => Promise<R>) => Promise<R>;

/**
 * Runs one piece of work per key at a time in this process. It is taken before a database connection: what waits for a
 * lock in the database holds a connection that other requests need. Users who wait for one key take turns, so that nobody
 * waits for all requests of another user. Requests that wait longer than `limits.writeWaitSeconds` get 503. Locks in the
 * database separate processes.
 */
export function createKeyedLock(clock: Clock): KeyedLock {
  const locks = new Map<string, Lock>();
  const passOn = (key: string, lock: Lock) => {
    const other = lock.waiting.findIndex(({ userId }) => userId !== lock.holder);
    const [next] = lock.waiting.splice(Math.max(0, other), 1);
    if (!next) return void locks.delete(key);
    lock.holder = next.userId;
    next.begin();
  };
  return async (key, userId, work) => {
    let lock = locks.get(key);
    if (lock) await turnIn(lock, userId, clock);
    else {
      lock = { holder: userId, waiting: [] };
      locks.set(key, lock);
    }
    try {
      return await work();
    } finally {
      passOn(key, lock);
    }
  };
}

function turnIn({ waiting }: Lock, userId: string, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiting.splice(waiting.indexOf(waiter), 1);
      reject(new Failure("service_unavailable"));
    };
    const cancel = clock.after(limits.writeWaitSeconds * 1_000, giveUp);
    const begin = () => {
      cancel();
      resolve();
    };
    const waiter = { userId, begin };
    waiting.push(waiter);
  });
}
