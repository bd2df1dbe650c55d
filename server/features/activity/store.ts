import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { activityEntries } from "../estimations/index.ts";
import { mainIdOf, threads, versions } from "../versions/index.ts";

type Row = typeof activityEntries.$inferSelect;

/** An entry with the name of its person; `afterId` also names what an edit got its first version in. */
export type NamedEntry = Row & { readonly personName: string };

/** Reads at most `limit` entries of an estimation, newest first, before number `before` if given. */
export function listActivity(
  db: Queryable,
  estimationId: string,
  limit: number,
  before: number | null,
): Promise<NamedEntry[]> {
  const older = before === null ? undefined : lt(activityEntries.number, before);
  const of = sql`${versions.estimationId} = ${activityEntries.estimationId}`;
  const isOfThread = sql`coalesce(${versions.threadId}, '') = coalesce(${activityEntries.threadId}, '')`;
  // For an edit: the next version of its thread. There is none if the edits took each other back and then another thread
  // became the current one: its content is that of the head.
  const afterId = sql<string | null>`coalesce(${activityEntries.afterId}, (select ${versions.id} from ${versions}
    where ${of} and ${isOfThread} and ${versions.number} > ${activityEntries.lastVersion}
    order by ${versions.number} limit 1), (select ${threads.headVersionId} from ${threads}
    where ${activityEntries.lastVersion} is not null and not ${threads.current}
      and ${threads.id} = coalesce(${activityEntries.threadId}, ${mainIdOf(estimationId)})))`;
  return db
    .select({ ...getTableColumns(activityEntries), personName: users.name, afterId })
    .from(activityEntries)
    .innerJoin(users, eq(users.id, activityEntries.personId))
    .where(and(eq(activityEntries.estimationId, estimationId), older))
    .orderBy(desc(activityEntries.number))
    .limit(limit);
}
