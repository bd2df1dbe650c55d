import { sql } from "drizzle-orm";
import type { ActivityEntry } from "../../../contract/endpoints/activity.ts";
import { limits } from "../../../contract/limits.ts";
import { type ActivityKind, changesHours, isJoined } from "../../../contract/values/activity-kinds.ts";
import type { Queryable } from "../../db/database.ts";
import { tellChange } from "./live-store.ts";
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
  /** For kinds that make another content the current one, or a version: the versions with the contents before and after. */
  readonly between?: { readonly before: string | null; readonly after: string | null };
}

const MINUTE_MS = 60_000;
/**
 * How many entries of one kind and person are searched for one with the same subject or thread: as many as there can be threads.
 */
const ENTRIES_SEARCHED = limits.threads;

/**
 * Adds an entry to the activity of the estimation of a call, in its transaction. A kind in `joinedKinds` is counted in the
 * person's last entry of that kind with the same subject, and of edits in the same thread, if it began less than `limits.activityMinutes` ago. Removes all but
 * the newest `limits.activityEntries`, and tells the streams of those who have the estimation open. It is one statement because every edit pays for it; the lock of the estimation
 * prevents duplicate numbers.
 */
export async function recordActivity(
  { db: tx, estimation, actor, now }: ActingCall,
  kind: ActivityKind,
  { subject = {}, after, between }: Details = {},
): Promise<void> {
  const hoursDelta = after && changesHours(kind) ? after.hoursExpected - estimation.hoursExpected : null;
  const since = new Date(now.getTime() - limits.activityMinutes * MINUTE_MS).toISOString();
  const subjectText = JSON.stringify(subject);
  const at = sql`${now.toISOString()}::timestamptz`;
  // A constant in the text, so that the planner sees that it can use the index of joined kinds.
  const kindWord = sql.raw(`'${kind}'`);
  const isOfEstimation = sql`estimation_id = ${estimation.id}`;
  // Of an edit: where the content stood when it was made. Main is the thread without a base; the versions do not name it.
  const isEdit = kind === "content.edited";
  const place = isEdit
    ? sql`select max(id) filter (where base_version_id is not null) as thread_id, max(head_version_id) as before_id, coalesce(
        (select number from versions where ${isOfEstimation} order by number desc limit 1), 0) as last_version
      from threads where ${isOfEstimation} and current`
    : sql`select null as thread_id, ${between?.before ?? null}::text as before_id, null::int as last_version`;
  const joined = sql`
    update activity_entries set edits = edits + 1, ended_at = ${at}, hours_delta = hours_delta + ${hoursDelta}::float8,
      last_version = (select last_version from place)
    where ${isOfEstimation} and number = (
      select number from (
        select number, started_at, subject, thread_id from activity_entries
        where ${isOfEstimation} and person_id = ${actor.userId} and kind = ${kindWord}
        order by number desc limit ${ENTRIES_SEARCHED}) as late
      where started_at > ${since}::timestamptz and subject::text = ${subjectText}
        and thread_id is not distinct from (select thread_id from place) order by number desc limit 1)
    returning number`;
  const added = sql`
    insert into activity_entries (estimation_id, number, kind, person_id, started_at, ended_at, edits, hours_delta,
      subject, thread_id, before_id, after_id, last_version)
    select ${estimation.id}, coalesce(
        (select number from activity_entries where ${isOfEstimation} order by number desc limit 1), 0) + 1,
      ${kind}, ${actor.userId}, ${at}, ${at}, 1, ${hoursDelta}::float8, ${subjectText}::json,
      place.thread_id, place.before_id, ${between?.after ?? null}, place.last_version
    from place where not exists (select from joined)
    returning number`;
  const none = sql`select 0 as number where false`;
  await tx.execute(sql`
    with place as materialized (${place}), joined as (${isJoined(kind) ? joined : none}), added as (${added}), removed as (
      delete from activity_entries
      where ${isOfEstimation} and number <= (select number from added) - ${limits.activityEntries})
    ${tellChange(sql`${estimation.id}`, kind, actor.userId)}`);
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
  await tx.execute(sql`
    select from unnest(${sql.param(rows.map(({ id }) => id))}::text[]) as deed (id)
    cross join lateral (${tellChange(sql`deed.id`, kind, personId)}) as told`);
}

/** Removes an invited address from the activity of every estimation. */
export async function forgetInvited(tx: Queryable, email: string): Promise<void> {
  await tx.execute(sql`
    update activity_entries set subject = (subject::jsonb - 'email')::json
    where subject::jsonb ->> 'email' = ${email}`);
}
