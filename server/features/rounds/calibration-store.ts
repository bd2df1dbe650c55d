import { and, isNotNull, isNull, not, type SQL, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Judged } from "../../../domain/rounds/calibration.ts";
import type { Queryable } from "../../db/database.ts";
import { accessOf, estimations, teamsOf } from "../estimations/index.ts";
import { FINISHED, finishedSources, newestWith, tasksTable } from "../tasks/index.ts";
import { roundEstimates, roundOptions, rounds } from "./tables.ts";

/** Estimates of a person, the newest, that are compared with tasks. */
const ESTIMATES_LOOKED_AT = 20_000;

type Row = Record<string, unknown> & Omit<Judged, "points" | "doneAt"> & Judged["points"] & { readonly doneAt: string };

/**
 * Reads, for each finished task and person, the last of the person's estimates of its option that were revealed, in hours of the whole
 * task: of the tasks that were done last. Examples and deleted estimations say nothing.
 */
async function readJudged(db: Queryable, estimates: SQL, condition: SQL): Promise<Judged[]> {
  const { rows } = await db.execute<Row>(sql`
    select * from (
      select distinct on (t.id, e.user_id) t.id as "taskId", e.user_id as "userId", o.weight * e.optimistic as optimistic,
        o.weight * e.likely as likely, o.weight * e.pessimistic as pessimistic, t.actual_hours as "actualHours",
        t.done_at as "doneAt"
      from ${estimates} as e
      join ${rounds} r on r.id = e.round_id
      join ${roundOptions} o on o.round_id = e.round_id and o.option_id = e.option_id and o.weight * e.likely > 0
      join ${estimations} on ${estimations.id} = r.estimation_id
        and ${and(isNull(estimations.deletedAt), not(estimations.isExample))}
      join (select * from ${tasksTable} where ${FINISHED}) as t
        on t.estimation_id = r.estimation_id and t.option_id = e.option_id
      where ${isNotNull(sql`e.user_id`)} and ${condition}
      order by t.id, e.user_id, e.id desc) as judged
    order by "doneAt" desc, "taskId", "userId" limit ${limits.accuracyTasks * limits.roundParticipants}`);
  return rows.map(({ taskId, userId, actualHours, doneAt, optimistic, likely, pessimistic }) => ({
    ...{ taskId, userId, actualHours, doneAt: new Date(doneAt), points: { optimistic, likely, pessimistic } },
  }));
}

/** The same of one person, in estimations that the person may read. */
export function readOwnJudged(db: Queryable, userId: string): Promise<Judged[]> {
  const user = sql`${userId}::text`;
  const newest = sql`(select * from ${roundEstimates} where user_id = ${user}
    order by id desc limit ${ESTIMATES_LOOKED_AT})`;
  const mayRead = sql`exists (select from ${accessOf(estimations.id, user, teamsOf(user))} as access)`;
  return readJudged(db, newest, mayRead);
}

/** The same of everybody, in the newest estimations that a user owns. */
export async function readAllJudged(db: Queryable, ownerId: string): Promise<Judged[]> {
  const { sources } = await finishedSources(db, ownerId, limits.accuracyEstimations);
  const ids = newestWith(sources, limits.accuracyTasks).map(({ estimationId }) => estimationId);
  if (ids.length === 0) return [];
  const ofThose = sql`(select each.* from ${roundEstimates} each join ${rounds} of on of.id = each.round_id
    where of.estimation_id = any(${sql.param(ids)}::text[]))`;
  return readJudged(db, ofThose, sql`${estimations.ownerId} = ${ownerId}`);
}
