import { sql } from "drizzle-orm";
import type { ActivityEntry } from "../../../contract/endpoints/activity.ts";
import { limits } from "../../../contract/limits.ts";
import { type ActivityKind, changesHours, isJoined } from "../../../contract/values/activity-kinds.ts";
import type { Queryable } from "../../db/database.ts";
import type { EstimationRow } from "./store.ts";

/** A call by a user who does something with an estimation, which is locked, or new. */
interface ActingCall {
  readonly db: Queryable;
  readonly estimation: Pick<EstimationRow, "id" | "hoursExpected">;
  readonly actor: { readonly userId: string };
  readonly now: Date;
}

interface Details {
  readonly subject?: ActivityEntry["subject"];
  /** The estimation afterwards: for kinds that change its expected hours. */
  readonly after?: Pick<EstimationRow, "hoursExpected">;
}

const MINUTE_MS = 60_000;
/**
 * How many entries of one kind and person are searched for one with the same subject: as many as there can be threads.
 */
const ENTRIES_SEARCHED = limits.threads;

/**
 * Adds an entry to the activity of the estimation of a call, in its transaction. A kind in `joinedKinds` is counted in the
 * person's last entry of that kind with the same subject, if it began less than `limits.activityMinutes` ago. Removes all but
 * the newest `limits.activityEntries`. It is one statement because every edit pays for it; the lock of the estimation
 * prevents duplicate numbers.
 */
export async function recordActivity(
  { db: tx, estimation, actor, now }: ActingCall,
  kind: ActivityKind,
  { subject = {}, after }: Details = {},
): Promise<void> {
  const hoursDelta = after && changesHours(kind) ? after.hoursExpected - estimation.hoursExpected : null;
  const since = new Date(now.getTime() - limits.activityMinutes * MINUTE_MS).toISOString();
  const subjectText = JSON.stringify(subject);
  const at = sql`${now.toISOString()}::timestamptz`;
  // A constant in the text, so that the planner sees that it can use the index of joined kinds.
  const kindWord = sql.raw(`'${kind}'`);
  const isOfEstimation = sql`estimation_id = ${estimation.id}`;
  const joined = sql`
    update activity_entries set edits = edits + 1, ended_at = ${at}, hours_delta = hours_delta + ${hoursDelta}::float8
    where ${isOfEstimation} and number = (
      select number from (
        select number, started_at, subject from activity_entries
        where ${isOfEstimation} and person_id = ${actor.userId} and kind = ${kindWord}
        order by number desc limit ${ENTRIES_SEARCHED}) as late
      where started_at > ${since}::timestamptz and subject::text = ${subjectText} order by number desc limit 1)
    returning number`;
  const added = sql`
    insert into activity_entries (estimation_id, number, kind, person_id, started_at, ended_at, edits, hours_delta,
      subject)
    select ${estimation.id}, coalesce(
        (select number from activity_entries where ${isOfEstimation} order by number desc limit 1), 0) + 1,
      ${kind}, ${actor.userId}, ${at}, ${at}, 1, ${hoursDelta}::float8, ${subjectText}::json
    where not exists (select from joined)
    returning number`;
  const none = sql`select 0 as number where false`;
  await tx.execute(sql`
    with joined as (${isJoined(kind) ? joined : none}), added as (${added})
    delete from activity_entries
    where ${isOfEstimation} and number <= (select number from added) - ${limits.activityEntries}`);
}

/** Records a change of content; nothing if it changed nothing. */
export async function recordEdit(
  call: ActingCall & { readonly estimation: Pick<EstimationRow, "revision"> },
  kind: ActivityKind,
  after: EstimationRow,
): Promise<void> {
  if (after.revision !== call.estimation.revision) await recordActivity(call, kind, { after });
}

/**
 * Adds the same entry, which is not an edit, to the activity of several estimations at once. Entries beyond the limit
 * are removed with the next one.
 */
export async function recordActivities(
  tx: Queryable,
  { personId, kind, now }: { readonly personId: string; readonly kind: ActivityKind; readonly now: Date },
  each: readonly { readonly estimationId: string; readonly subject: ActivityEntry["subject"] }[],
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

/** Removes an invited address from the activity of every estimation. */
export async function forgetInvited(tx: Queryable, email: string): Promise<void> {
  await tx.execute(sql`
    update activity_entries set subject = (subject::jsonb - 'email')::json
    where subject::jsonb ->> 'email' = ${email}`);
}
