import { and, desc, eq, getTableColumns, lt } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { activityEntries } from "../estimations/index.ts";

type Row = typeof activityEntries.$inferSelect;

/** An entry with the name of its person. */
export type NamedEntry = Row & { readonly personName: string };

/** Reads at most `limit` entries of an estimation, newest first, before number `before` if given. */
export function listActivity(
  db: Queryable,
  estimationId: string,
  limit: number,
  before: number | null,
): Promise<NamedEntry[]> {
  const older = before === null ? undefined : lt(activityEntries.number, before);
  return db
    .select({ ...getTableColumns(activityEntries), personName: users.name })
    .from(activityEntries)
    .innerJoin(users, eq(users.id, activityEntries.personId))
    .where(and(eq(activityEntries.estimationId, estimationId), older))
    .orderBy(desc(activityEntries.number))
    .limit(limit);
}
