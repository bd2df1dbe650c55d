import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock.ts";

/** The work exceeded its time limit. */
export class DeadlineExceeded extends Error {}

/** The deadline of the current work, for code that holds something for it or computes much. */
export interface Deadline {
  /** Whose work it is; empty: the service's own. */
  readonly caller: string;
  readonly isOver: boolean;
  /** Runs `giveUp` at the deadline. Returns a function that cancels this. */
  whenOver(giveUp: () => void): () => void;
  /** Ends it before its time: nobody waits for the result any more. */
  end(): void;
  /** Milliseconds of long computations for it, which its caller is charged for. */
  computedMs: number;
  /** Lets others be admitted in its place; null until it was admitted to work on large contents (`http/admission.ts`). */
  leave: (() => void) | null;
}

/**
 * A class and not an object with a getter: the engine keeps a getter of its own for each such object, and with it all that
 * the request holds, until the next collection of the whole heap.
 */
class RunningDeadline implements Deadline {
  readonly caller: string;
  isOver = false;
  computedMs = 0;
  leave: (() => void) | null = null;
  readonly #givingUp = new Set<() => void>();

  constructor(caller: string) {
    this.caller = caller;
  }

  whenOver(giveUp: () => void): () => void {
    this.#givingUp.add(giveUp);
    return () => this.#givingUp.delete(giveUp);
  }

  end(): void {
    this.isOver = true;
    for (const giveUp of this.#givingUp) giveUp();
  }
}

const current = new AsyncLocalStorage<Deadline>();

/** Returns the deadline of the work that calls this; undefined if it has none. */
export const currentDeadline = (): Deadline | undefined => current.getStore();

/**
 * Runs `work` and rejects with `DeadlineExceeded` if it has not ended within `ms` milliseconds. Functions passed
 * to `whenOver` then release what it holds, and its outcome is ignored.
 */
export function withinDeadline<R>(
  clock: Clock,
  ms: number,
  work: (deadline: Deadline) => Promise<R>,
  caller = "",
): Promise<R> {
  // One promise and no race, as every request comes through here twice.
  return new Promise((resolve, reject) => {
    const deadline = new RunningDeadline(caller);
    const cancel = clock.after(ms, () => {
      reject(new DeadlineExceeded(`not done within ${ms} ms`));
      deadline.end();
    });
    current.run(deadline, work, deadline).then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error) => {
        cancel();
        reject(error);
      },
    );
  });
}
