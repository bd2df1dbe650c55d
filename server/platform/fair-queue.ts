import { currentDeadline } from "./deadline.ts";
import { Overloaded } from "./turns.ts";

/** This caller has too much waiting; others are not affected. */
export class TooManyOfCaller extends Overloaded {}

/** The work lasted beyond its deadline, or nobody waits for it any more. */
export class GivenUp extends Overloaded {}

export interface QueueLimits {
  readonly atOnce: number;
  /** Pieces of work of one caller that are running or waiting. */
  readonly perCaller: number;
  /** Pieces of work of all callers that are waiting. */
  readonly waiting: number;
}

/**
 * Runs `work` of the current caller at its turn. Rejects with `TooManyOfCaller` or `Overloaded` if too much is waiting, and
 * with `GivenUp` if it has not begun at the caller's deadline.
 */
export type Enqueue = <R>(work: () => Promise<R>) => Promise<R>;

interface Waiting {
  readonly caller: string;
  readonly begin: () => void;
}

/** Makes a queue in which one piece of work of a caller runs at a time, and callers take turns. */
export function createFairQueue({ atOnce, perCaller, waiting: waitingMost }: QueueLimits): Enqueue {
  const waiting: Waiting[] = [];
  const running = new Set<string>();
  const counts = new Map<string, number>();
  /** When each caller with something in the queue had its last turn, in turns. */
  const lastTurns = new Map<string, number>();
  let turns = 0;

  const beginNext = () => {
    if (running.size >= atOnce) return;
    let next: Waiting | undefined;
    for (const each of waiting) {
      if (running.has(each.caller)) continue;
      if (!next || (lastTurns.get(each.caller) ?? 0) < (lastTurns.get(next.caller) ?? 0)) next = each;
    }
    if (!next) return;
    waiting.splice(waiting.indexOf(next), 1);
    turns += 1;
    lastTurns.set(next.caller, turns);
    running.add(next.caller);
    next.begin();
  };

  const turnOf = (caller: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const mine: Waiting = {
        caller,
        begin: () => {
          forget?.();
          resolve();
        },
      };
      const forget = currentDeadline()?.whenOver(() => {
        const at = waiting.indexOf(mine);
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(new GivenUp("given up before it began"));
      });
      waiting.push(mine);
      beginNext();
    });

  return async (work) => {
    const deadline = currentDeadline();
    const caller = deadline?.caller ?? "";
    if (deadline?.isOver) throw new GivenUp("given up before it began");
    const count = counts.get(caller) ?? 0;
    // What the service does for itself has its own bounds.
    if (caller !== "" && count >= perCaller) throw new TooManyOfCaller("too much of one caller is waiting");
    if (waiting.length >= waitingMost) throw new Overloaded("too much is waiting");
    counts.set(caller, count + 1);
    // Who comes, or comes back, waits for those who have not had their turn; otherwise it would always be the first.
    if (!lastTurns.has(caller)) lastTurns.set(caller, turns - 0.5);
    try {
      await turnOf(caller);
      try {
        return await work();
      } finally {
        running.delete(caller);
        beginNext();
      }
    } finally {
      const left = (counts.get(caller) ?? 1) - 1;
      if (left > 0) counts.set(caller, left);
      else {
        counts.delete(caller);
        lastTurns.delete(caller);
      }
    }
  };
}
