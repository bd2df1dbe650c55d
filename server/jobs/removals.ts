import { type JobRow, runPeriodically } from "./job.ts";

/** Rows removed in one statement: it holds few locks and is over in moments, however much there is to remove. */
const BATCH = 1_000;
/** Statements of one run; what is left is for the next. */
const MOST_BATCHES = 500;

/** Removes up to `rows` rows in one statement; resolves to whether there may be more. */
export type Removal = (rows: number) => Promise<boolean>;

export interface BatchOptions {
  /** Stops the removals before their next batch. */
  readonly signal: AbortSignal;
  readonly batch?: number;
  readonly mostBatches?: number;
}

/** A removal of which `remove` returns how many rows it removed: fewer than it might were the last ones. */
export const untilFewer =
  (remove: (rows: number) => Promise<number>): Removal =>
  async (rows) =>
    (await remove(rows)) >= rows;

/** Runs one removal after the other, in batches, until nothing is left or so many batches were removed. */
export async function removeInBatches(
  removals: readonly Removal[],
  { signal, batch = BATCH, mostBatches = MOST_BATCHES }: BatchOptions,
): Promise<void> {
  let batches = 0;
  for (const remove of removals) {
    for (let more = true; more; batches += 1) {
      if (signal.aborted || batches >= mostBatches) return;
      more = await remove(batch);
    }
  }
}

/** A periodic job that removes what `removalsAt` names when it runs. */
export const removePeriodically = (name: string, everySeconds: number, removalsAt: () => readonly Removal[]): JobRow =>
  runPeriodically(name, everySeconds, (signal) => removeInBatches(removalsAt(), { signal }));
