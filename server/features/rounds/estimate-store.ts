import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { roundEstimates, roundOptions } from "./tables.ts";

export type OptionRow = typeof roundOptions.$inferSelect;
export type EstimateRow = typeof roundEstimates.$inferSelect;

/** An estimate with the name of who gave it. */
export type ShownEstimate = EstimateRow & { readonly name: string | null };

/** What came of an option: to be stored. */
export interface Revealed extends Pick<OptionRow, "optionId" | "summary"> {
  readonly estimates: readonly Pick<
    EstimateRow,
    "id" | "userId" | "optimistic" | "likely" | "pessimistic" | "note" | "isOutlier"
  >[];
}

/** Stores the estimates of a round that is being revealed, in the order in which they are given here. */
export async function insertRevealed(tx: Queryable, roundId: string, options: readonly Revealed[]): Promise<void> {
  const rows = options.flatMap(({ optionId, estimates }) =>
    estimates.map((estimate, place) => ({ ...estimate, optionId, place })),
  );
  await tx.execute(sql`
    insert into ${roundEstimates}
      (id, round_id, option_id, place, user_id, optimistic, likely, pessimistic, note, is_outlier)
    select e.id, ${roundId}, e."optionId", e.place, e."userId", e.optimistic, e.likely, e.pessimistic, e.note, e."isOutlier"
    from json_to_recordset(${JSON.stringify(rows)}::json) as e (
      id text, "optionId" text, place int, "userId" text, optimistic float8, likely float8, pessimistic float8, note text,
      "isOutlier" boolean)`);
  const summaries = options.map(({ optionId, summary }) => ({ optionId, summary }));
  await tx.execute(sql`
    update ${roundOptions} o set summary = e.summary
    from json_to_recordset(${JSON.stringify(summaries)}::json) as e ("optionId" text, summary json)
    where o.round_id = ${roundId} and o.option_id = e."optionId"`);
}

/** Reads at most `limit` options of a round in tree order, after the position `after` if given. */
export const listOptions = (
  db: Queryable,
  roundId: string,
  limit: number,
  after: number | null,
): Promise<OptionRow[]> =>
  db
    .select()
    .from(roundOptions)
    .where(and(eq(roundOptions.roundId, roundId), after === null ? undefined : gt(roundOptions.position, after)))
    .orderBy(asc(roundOptions.position))
    .limit(limit);

/** Reads those of these options that a round has, in tree order. */
export const readOptions = (db: Queryable, roundId: string, optionIds: readonly string[]): Promise<OptionRow[]> =>
  db
    .select()
    .from(roundOptions)
    .where(and(eq(roundOptions.roundId, roundId), inArray(roundOptions.optionId, [...optionIds])))
    .orderBy(asc(roundOptions.position));

/** Reads the estimates of some options of a round that are shown, in the order that was drawn. */
export const listEstimates = (db: Queryable, roundId: string, optionIds: readonly string[]): Promise<ShownEstimate[]> =>
  db
    .select({
      id: roundEstimates.id,
      roundId: roundEstimates.roundId,
      optionId: roundEstimates.optionId,
      place: roundEstimates.place,
      userId: roundEstimates.userId,
      optimistic: roundEstimates.optimistic,
      likely: roundEstimates.likely,
      pessimistic: roundEstimates.pessimistic,
      note: roundEstimates.note,
      isOutlier: roundEstimates.isOutlier,
      name: users.name,
    })
    .from(roundEstimates)
    .leftJoin(users, eq(users.id, roundEstimates.userId))
    .where(and(eq(roundEstimates.roundId, roundId), inArray(roundEstimates.optionId, [...optionIds])))
    .orderBy(asc(roundEstimates.optionId), asc(roundEstimates.place));
