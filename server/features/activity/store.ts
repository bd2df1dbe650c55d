import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { ActivityEntry } from "../../../contract/activity.ts";
import { type ActivityKind, isJoined } from "../../../contract/activity-kinds.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { type RemovePart, removeRows } from "../estimations/index.ts";
import { activityEntries } from "./tables.ts";

type Row = typeof activityEntries.$inferSelect;

/** An entry with the name of its person. */
export type NamedEntry = Row & { readonly personName: string };

/** Something that a person did with an estimation that is locked, or new. */
export interface Deed {
  readonly estimationId: string;
  readonly personId: string;
  readonly kind: ActivityKind;
  readonly now: Date;
  readonly subject?: ActivityEntry["subject"];
  /** By how much it changed the expected hours, in hours; for kinds that change them. */
  readonly hoursDelta?: number | undefined;
}

const MINUTE_MS = 60_000;
/**
 * How many entries of one kind and person are searched for one with the same subject: as many as there can be threads.
 */
const ENTRIES_SEARCHED = limits.threads;

/**
 * Adds an entry to the activity of an estimation, in the transaction of what it is about. A kind in `joinedKinds` is
 * counted in the person's last entry of that kind with the same subject, if it began less than `limits.activityMinutes`
 * ago. Removes all but the newest `limits.activityEntries`. It is one statement because every edit pays for it; the
 * lock of the estimation prevents duplicate numbers.
 */
export async function recordActivity(tx: Queryable, deed: Deed): Promise<void> {
  const { estimationId, personId, kind, now, subject = {}, hoursDelta = null } = deed;
  const since = new Date(now.getTime() - limits.activityMinutes * MINUTE_MS).toISOString();
  const subjectText = JSON.stringify(subject);
  const at = sql`${now.toISOString()}::timestamptz`;
  // A constant in the text, so that the planner sees that it can use the index of joined kinds.
  const kindWord = sql.raw(`'${kind}'`);
  const isOfEstimation = sql`estimation_id = ${estimationId}`;
  const joined = sql`
    update activity_entries set edits = edits + 1, ended_at = ${at}, hours_delta = hours_delta + ${hoursDelta}::float8
    where ${isOfEstimation} and number = (
      select number from (
        select number, started_at, subject from activity_entries
        where ${isOfEstimation} and person_id = ${personId} and kind = ${kindWord}
        order by number desc limit ${ENTRIES_SEARCHED}) as late
      where started_at > ${since}::timestamptz and subject::text = ${subjectText} order by number desc limit 1)
    returning number`;
  const added = sql`
    insert into activity_entries (estimation_id, number, kind, person_id, started_at, ended_at, edits, hours_delta,
      subject)
    select ${estimationId}, coalesce(
        (select number from activity_entries where ${isOfEstimation} order by number desc limit 1), 0) + 1,
      ${kind}, ${personId}, ${at}, ${at}, 1, ${hoursDelta}::float8, ${subjectText}::json
    where not exists (select from joined)
    returning number`;
  const none = sql`select 0 as number where false`;
  await tx.execute(sql`
    with joined as (${isJoined(kind) ? joined : none}), added as (${added})
    delete from activity_entries
    where ${isOfEstimation} and number <= (select number from added) - ${limits.activityEntries}`);
}

/**
 * Adds the same entry, which is not an edit, to the activity of several estimations at once. Entries beyond the limit
 * are removed with the next one.
 */
export async function recordActivities(
  tx: Queryable,
  { personId, kind, now }: Pick<Deed, "personId" | "kind" | "now">,
  each: readonly Required<Pick<Deed, "estimationId" | "subject">>[],
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = each.map(({ estimationId, subject }) => ({ id: estimationId, subject }));
  await tx.execute(sql`
    insert into activity_entries (estimation_id, number, kind, person_id, started_at, ended_at, edits, subject)
    select deed.id, coalesce(
        (select number from activity_entries where estimation_id = deed.id order by number desc limit 1), 0) + 1,
      ${kind}, ${personId}, ${at}, ${at}, 1, deed.subject
    from json_to_recordset(${JSON.stringify(rows)}::json) as deed (id text, subject json)`);
}

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

/** Removes the activity of an estimation that is removed for good. */
export const removeActivityForGood: RemovePart = (tx, estimationId, rows) =>
  removeRows(tx, activityEntries, eq(activityEntries.estimationId, estimationId), rows);
