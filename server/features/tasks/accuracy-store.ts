import { sql } from "drizzle-orm";
import type { FinishedWork } from "../../../domain/accuracy/task-accuracy.ts";
import type { Queryable } from "../../db/database.ts";
import { FINISHED, tasks } from "./tables.ts";
import type { TaskSource } from "./totals-store.ts";

/** Columns of a row, and its number of the newest first. */
type Row = Record<string, unknown> & {
  readonly role: string | null;
  readonly hours: number;
  readonly baseHours: number | null;
  readonly optimistic: number | null;
  readonly likely: number | null;
  readonly pessimistic: number | null;
  readonly actualHours: number;
  readonly doneAt: string;
};

/**
 * Returns, of estimations given in the order of their ids, the newest that have `most` finished tasks together. So no more than
 * twice `most` rows are read, however many tasks there are.
 */
export function newestWith(sources: readonly TaskSource[], most: number): TaskSource[] {
  const chosen: TaskSource[] = [];
  let count = 0;
  for (const source of sources.toReversed()) {
    if (count >= most) break;
    chosen.push(source);
    count += source.finished;
  }
  return chosen;
}

/** Reads the `most` finished tasks of estimations that were done last, in no order: numbers and roles, no texts. */
export async function readFinishedWork(
  db: Queryable,
  estimationIds: readonly string[],
  most: number,
): Promise<FinishedWork[]> {
  if (estimationIds.length === 0) return [];
  const newest = sql`order by done_at desc, id desc limit ${most}`;
  const { rows } = await db.execute<Row>(sql`
    select role, hours, base_hours as "baseHours", base_optimistic as optimistic, base_likely as likely,
      base_pessimistic as pessimistic, actual_hours as "actualHours", done_at as "doneAt"
    from unnest(${sql.param([...estimationIds])}::text[]) as source (estimation) cross join lateral (
      select * from ${tasks} where estimation_id = source.estimation and ${FINISHED} ${newest}) as finished
    ${newest}`);
  return rows.map(({ optimistic, likely, pessimistic, doneAt, ...row }) => ({
    ...row,
    points: optimistic !== null && likely !== null && pessimistic !== null ? { optimistic, likely, pessimistic } : null,
    doneAt: new Date(doneAt),
  }));
}
