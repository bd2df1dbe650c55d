import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock.ts";

/** The work exceeded its time limit. */
export class DeadlineExceeded extends Error {}

/** The deadline of the current work, for code that holds something for it. */
export interface Deadline {
  readonly isOver: boolean;
  /** Runs `giveUp` at the deadline. Returns a function that cancels this. */
  whenOver(giveUp: () => void): () => void;
}

const current = new AsyncLocalStorage<Deadline>();

/** Returns the deadline of the work that calls this; undefined if it has none. */
export const currentDeadline = (): Deadline | undefined => current.getStore();

/**
 * Runs `work` and rejects with `DeadlineExceeded` if it has not ended within `ms` milliseconds. Functions passed to
 * `whenOver` then release what it holds, and its outcome is ignored.
 */
export async function withinDeadline<R>(clock: Clock, ms: number, work: () => Promise<R>): Promise<R> {
  const givingUp = new Set<() => void>();
  let isOver = false;
  const { promise: over, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(ms, () => {
    isOver = true;
    reject(new DeadlineExceeded(`not done within ${ms} ms`));
    for (const giveUp of givingUp) giveUp();
  });
  const deadline: Deadline = {
    get isOver() {
      return isOver;
    },
    whenOver(giveUp) {
      givingUp.add(giveUp);
      return () => givingUp.delete(giveUp);
    },
  };
  try {
    return await Promise.race([current.run(deadline, work), over]);
  } finally {
    cancel();
  }
}
