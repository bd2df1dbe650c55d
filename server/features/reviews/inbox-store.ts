import { eq, sql } from "drizzle-orm";
import { type StandingStatus, standingStatuses } from "../../../contract/reviews.ts";
import type { Queryable } from "../../db/database.ts";
import { type ShownReview, selectReviews } from "./store.ts";
import { reviews } from "./tables.ts";

/** An inbox, and where in it a page begins. */
export interface InboxQuery {
  readonly userId: string;
  readonly statuses: readonly StandingStatus[] | undefined;
  readonly limit: number;
  /** The last row already read. */
  readonly after: { readonly at: Date; readonly id: string } | null;
}

/**
 * Reads a page of the reviews that a user was asked for, the most recently requested first. Each status is a range of an index that
 * is in that order: it reads as many rows of each as a page has, however many there are.
 */
export function listInbox(
  db: Queryable,
  { userId, statuses = standingStatuses, limit, after }: InboxQuery,
): Promise<ShownReview[]> {
  const { id, reviewerId, status, requestedAt } = reviews;
  const before = after
    ? sql`and (${requestedAt}, ${id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`
    : sql``;
  const ofStatus = statuses.map(
    (one) => sql`(select ${id} as id, ${requestedAt} as at from ${reviews}
      where ${eq(reviewerId, userId)} and ${status} = ${sql.raw(`'${one}'`)} and ${status} <> 'withdrawn' and not hidden ${before}
      order by ${requestedAt} desc, ${id} desc limit ${limit})`,
  );
  const found = sql`select id from (${sql.join(ofStatus, sql` union all `)}) as found order by at desc, id desc limit ${limit}`;
  return selectReviews(db, [sql`${id} = any(array(${found}))`], sql`${requestedAt} desc, ${id} desc`);
}
