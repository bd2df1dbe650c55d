import { monotonicMs, pause, systemClock } from "../platform/clock.ts";
import { type JobRow, runPeriodically } from "./job.ts";

/** Rows removed in one statement: few, so that it holds few locks and ends quickly however much there is to remove. */
const BATCH = 1_000;
/** Statements per run; the next run removes the rest. */
const MOST_BATCHES = 500;
/** After a batch, the database is left to requests for this many times as long as the batch took. */
const REST = 3;
const REST_MS_MAX = 1_000;

/** Removes up to `rows` rows in one statement; resolves to whether there may be more. */
export type Removal = (rows: number) => Promise<boolean>;

export interface BatchOptions {
  /** Stops the removals before their next batch. */
  readonly signal: AbortSignal;
  readonly batch?: number;
  readonly mostBatches?: number;
  /** Waits for this many milliseconds between two batches. */
  readonly rest?: (ms: number) => Promise<void>;
}

/**
 * Makes a removal from `remove`, which returns how many rows it removed: fewer than requested means that none are left.
 */
export const untilFewer =
  (remove: (rows: number) => Promise<number>): Removal =>
  async (rows) =>
    (await remove(rows)) >= rows;

/**
 * Runs the removals one after the other, in batches with a rest after each, until nothing is left or the limit of batches is
 * reached.
 */
export async function removeInBatches(
  removals: readonly Removal[],
  { signal, batch = BATCH, mostBatches = MOST_BATCHES, rest = (ms) => pause(systemClock, ms) }: BatchOptions,
): Promise<void> {
  let batches = 0;
  for (const remove of removals) {
    for (let more = true; more; batches += 1) {
      if (signal.aborted || batches >= mostBatches) return;
      const startedMs = monotonicMs();
      more = await remove(batch);
      if (more) await rest(Math.min(REST_MS_MAX, REST * (monotonicMs() - startedMs)));
    }
  }
}

/** A periodic job that removes what `removalsAt` names when it runs. */
export const removePeriodically = (name: string, everySeconds: number, removalsAt: () => readonly Removal[]): JobRow =>
  runPeriodically(name, everySeconds, (signal) => removeInBatches(removalsAt(), { signal }));
