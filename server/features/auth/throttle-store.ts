import { and, gte, inArray, lt, lte, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { knownSignIns, tryCounts } from "./tables.ts";

/** The current value of a counter. */
export type TryCount = typeof tryCounts.$inferSelect;

/** A counter, and when it would end if it started now. */
export interface NewCount {
  readonly counter: Uint8Array;
  readonly resetsAt: Date;
}

/** Reads the counters. */
export const readCounts = (db: Queryable, counters: readonly Pick<NewCount, "counter">[]): Promise<TryCount[]> =>
  db
    .select()
    .from(tryCounts)
    .where(
      inArray(
        tryCounts.counter,
        counters.map(({ counter }) => counter),
      ),
    );

/** Adds one to each counter and returns the sums; an expired counter starts again. */
export function addTry(db: Queryable, counters: readonly NewCount[], now: Date): Promise<TryCount[]> {
  const over = sql`${tryCounts.resetsAt} <= ${now.toISOString()}`;
  // Locks rows in the order given, which is sorted: avoids deadlocks between tries.
  const sorted = [...counters].sort((a, b) => Buffer.compare(a.counter, b.counter));
  return db
    .insert(tryCounts)
    .values(sorted.map((row) => ({ ...row, tries: 1 })))
    .onConflictDoUpdate({
      target: tryCounts.counter,
      set: {
        tries: sql`case when ${over} then 1 else ${tryCounts.tries} + 1 end`,
        resetsAt: sql`case when ${over} then excluded.resets_at else ${tryCounts.resetsAt} end`,
      },
    })
    .returning();
}

/** Reverts `addTry`, except for counters that have started again since, and so end later. */
export async function takeBackTry(db: Queryable, counts: readonly TryCount[]): Promise<void> {
  const counters = sql.param(counts.map(({ counter }) => `\\x${Buffer.from(counter).toString("hex")}`));
  const resets = sql.param(counts.map(({ resetsAt }) => resetsAt.toISOString()));
  await db.execute(sql`
    with added as (
      select c.counter from ${tryCounts} c
      join unnest(${counters}::bytea[], ${resets}::timestamptz[]) as a(counter, resets_at)
        on a.counter = c.counter and a.resets_at >= c.resets_at
      order by c.counter for no key update of c
    )
    update ${tryCounts} c set tries = greatest(c.tries - 1, 0) from added where c.counter = added.counter`);
}

/** Resets the counters. */
export async function dropCounts(db: Queryable, counters: readonly Uint8Array[]): Promise<void> {
  const locked = db
    .select({ counter: tryCounts.counter })
    .from(tryCounts)
    .where(inArray(tryCounts.counter, [...counters]))
    .orderBy(tryCounts.counter)
    .for("update");
  await db.delete(tryCounts).where(inArray(tryCounts.counter, locked));
}

/** Returns whether the pair was recorded at `since` or later. */
export async function isKnown(db: Queryable, pair: Uint8Array, since: Date): Promise<boolean> {
  const rows = await db
    .select({ pair: knownSignIns.pair })
    .from(knownSignIns)
    .where(and(inArray(knownSignIns.pair, [pair]), gte(knownSignIns.lastAt, since)));
  return rows.length > 0;
}

/** Records the pair, unless it was recorded at `unlessSince` or later. */
export async function notePair(db: Queryable, pair: Uint8Array, now: Date, unlessSince: Date): Promise<void> {
  await db
    .insert(knownSignIns)
    .values({ pair, lastAt: now })
    .onConflictDoUpdate({
      target: knownSignIns.pair,
      set: { lastAt: now },
      setWhere: lt(knownSignIns.lastAt, unlessSince),
    });
}

/** Removes up to `rows` expired counters, and returns how many were removed. */
export async function forgetCounts(db: Queryable, now: Date, rows: number): Promise<number> {
  const over = db
    .select({ counter: tryCounts.counter })
    .from(tryCounts)
    .where(lte(tryCounts.resetsAt, now))
    .orderBy(tryCounts.resetsAt)
    .limit(rows)
    .for("update", { skipLocked: true });
  return (await db.delete(tryCounts).where(inArray(tryCounts.counter, over))).rowCount ?? 0;
}

/** Removes up to `rows` pairs last recorded before `since`, and returns how many were removed. */
export async function forgetPairs(db: Queryable, since: Date, rows: number): Promise<number> {
  const old = db
    .select({ pair: knownSignIns.pair })
    .from(knownSignIns)
    .where(lt(knownSignIns.lastAt, since))
    .limit(rows)
    .for("update", { skipLocked: true });
  return (await db.delete(knownSignIns).where(inArray(knownSignIns.pair, old))).rowCount ?? 0;
}
