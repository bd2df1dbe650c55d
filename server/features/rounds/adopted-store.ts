import { desc, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { adoptedHours, rounds } from "./tables.ts";

/** The last hours from rounds that are kept of an option: as many steps of undo say where its hours are from. */
export const ADOPTED_KEPT = 10;

export type AdoptedRow = Omit<typeof adoptedHours.$inferSelect, "id">;

/** Adopted hours with what is shown with them. */
export type ShownAdopted = AdoptedRow & {
  readonly number: number;
  readonly title: string | null;
  readonly name: string;
};

/** Reads the hours that options of an estimation were given by rounds, the last ones first. */
export const listAdopted = (db: Queryable, estimationId: string): Promise<ShownAdopted[]> =>
  db
    .select({
      estimationId: adoptedHours.estimationId,
      optionId: adoptedHours.optionId,
      roundId: adoptedHours.roundId,
      from: adoptedHours.from,
      hours: adoptedHours.hours,
      people: adoptedHours.people,
      agreement: adoptedHours.agreement,
      userId: adoptedHours.userId,
      adoptedAt: adoptedHours.adoptedAt,
      number: rounds.number,
      title: rounds.title,
      name: users.name,
    })
    .from(adoptedHours)
    .innerJoin(rounds, eq(rounds.id, adoptedHours.roundId))
    .innerJoin(users, eq(users.id, adoptedHours.userId))
    .where(eq(adoptedHours.estimationId, estimationId))
    .orderBy(desc(adoptedHours.id));

/** Stores the hours that options of a locked estimation are given; of each option the last `ADOPTED_KEPT` are kept. */
export async function saveAdopted(tx: Queryable, estimationId: string, rows: readonly AdoptedRow[]): Promise<void> {
  await tx.insert(adoptedHours).values([...rows]);
  const optionIds = sql.param(rows.map(({ optionId }) => optionId));
  await tx.execute(sql`
    delete from ${adoptedHours} where id in (
      select old.id from unnest(${optionIds}::text[]) as given (id) cross join lateral (
        select a.id from ${adoptedHours} a where a.estimation_id = ${estimationId} and a.option_id = given.id
        order by a.id desc offset ${ADOPTED_KEPT}) as old)`);
}
