/** Too many are already waiting: a later try may succeed. */
export class Overloaded extends Error {}

/** Yielding work may take at most half of the queue, so that there is always room for the rest. */
export type Rank = "yielding";

/**
 * Runs `work` at its turn, in order of arrival. Rejects with `Overloaded`, without running it, if the queue is full.
 */
export type TakeTurn = <R>(work: () => Promise<R>, rank?: Rank) => Promise<R>;

/**
 * Runs at most `atOnce` pieces of work at the same time and lets at most `waitingMax` wait, half of them yielding ones.
 */
export function createTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): TakeTurn {
  const waiting: (() => void)[] = [];
  let yielding = 0;
  let running = 0;
  const isFull = (rank?: Rank) =>
    waiting.length >= waitingMax || (rank === "yielding" && yielding >= Math.floor(waitingMax / 2));
  return async (work, rank) => {
    if (running < atOnce) running += 1;
    else {
      if (isFull(rank)) throw new Overloaded();
      if (rank === "yielding") yielding += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (rank === "yielding") yielding -= 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The longest waiting one goes first, so that no later one overtakes it.
      if (next) next();
      else running -= 1;
    }
  };
}
