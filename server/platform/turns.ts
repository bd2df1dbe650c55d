/** Too many are waiting already: trying again later may succeed. */
export class Overloaded extends Error {}

/** Runs `work` when its turn comes, in the order of asking. Rejects with `Overloaded`, without running it, where the queue is full. */
export type TakeTurn = <R>(work: () => Promise<R>) => Promise<R>;

/** Lets at most `atOnce` works run at the same time, and at most `waitingMax` wait. */
export function createTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): TakeTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new Overloaded();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Whoever waits longest takes over the place, so that nobody who asks later gets in between.
      if (next) next();
      else running -= 1;
    }
  };
}
