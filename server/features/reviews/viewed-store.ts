import { and, asc, eq, inArray } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { viewedOptions } from "./tables.ts";

const { reviewId, optionId } = viewedOptions;

/** Returns the options that the reviewer has marked as viewed, in the order of their ids. */
export async function listViewed(db: Queryable, review: string): Promise<string[]> {
  const rows = await db.select({ optionId }).from(viewedOptions).where(eq(reviewId, review)).orderBy(asc(optionId));
  return rows.map((row) => row.optionId);
}

/** Marks options; those that are marked already stay so. */
export async function addViewed(tx: Queryable, review: string, ids: readonly string[]): Promise<void> {
  const rows = ids.map((id) => ({ reviewId: review, optionId: id }));
  await tx.insert(viewedOptions).values(rows).onConflictDoNothing();
}

/** Takes the marks of options. */
export async function removeViewed(tx: Queryable, review: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(viewedOptions).where(and(eq(reviewId, review), inArray(optionId, [...ids])));
}
