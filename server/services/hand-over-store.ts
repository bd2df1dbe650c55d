import { inArray, sql } from "drizzle-orm";
import type { Queryable } from "../db/database.ts";
import { type UserRow, users } from "../features/auth/index.ts";

/** Reads accounts, and keeps them as they are until the transaction ends; `lock`: whether it will change them. */
export const lockPeople = (
  tx: Queryable,
  ids: readonly string[],
  lock: "share" | "no key update" = "share",
): Promise<UserRow[]> =>
  tx
    .select()
    .from(users)
    .where(inArray(users.id, [...ids]))
    .orderBy(users.id)
    .for(lock);

/** Locks at most `most` estimations of a person that are not deleted, in the order of their ids, and returns their ids. */
export async function lockOwnEstimations(tx: Queryable, ownerId: string, most: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from estimations where owner_id = ${ownerId} and deleted_at is null order by id limit ${most} for update`);
  return rows.map(({ id }) => id);
}
