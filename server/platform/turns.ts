/** Too many are waiting already: trying again later may succeed. */
export class Overloaded extends Error {}

/** Works that yield may take at most half of the queue, so that there is always room for the others. */
export type Rank = "yielding";

/** Runs `work` when its turn comes, in the order of asking. Rejects with `Overloaded`, without running it, where the queue is full. */
export type TakeTurn = <R>(work: () => Promise<R>, rank?: Rank) => Promise<R>;

/** Lets at most `atOnce` works run at the same time, and at most `waitingMax` wait, half of them yielding ones. */
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
      // Whoever waits longest takes over, so that nobody who asks later gets in between.
      if (next) next();
      else running -= 1;
    }
  };
}
