import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock.ts";

/** The work took longer than it may. */
export class DeadlineExceeded extends Error {}

/** When the work under way has to end, for those who hold something on its behalf. */
export interface Deadline {
  readonly isOver: boolean;
  /** Runs `giveUp` when time is up. Returns how to take that back. */
  whenOver(giveUp: () => void): () => void;
}

const current = new AsyncLocalStorage<Deadline>();

/** The deadline of the work from which this is called; undefined where it has none. */
export const currentDeadline = (): Deadline | undefined => current.getStore();

/**
 * Runs `work` and rejects with `DeadlineExceeded` when it has not ended within `ms` milliseconds. What it holds is given up
 * then by those who asked for that (`whenOver`), and its outcome is not looked at any more.
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
