import { sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { sentInvitations } from "./tables.ts";

const HOUR_MS = 3_600_000;

/**
 * Counts a mail with an invitation that a user causes. Refuses (429, with the seconds to wait) more than `most` within
 * any hour. Concurrent calls for one user run one after the other until their transactions end, and deleting a share
 * does not change the count.
 */
export async function countInvitation(tx: Queryable, userId: string, most: number, now: Date): Promise<void> {
  const { times } = sentInvitations;
  const hourAgo = new Date(now.getTime() - HOUR_MS).toISOString();
  const recent = sql`array(select at from unnest(${times}) as at where at > ${hourAgo}::timestamptz order by at)`;
  const [row] = await tx
    .insert(sentInvitations)
    .values({ userId, times: [now] })
    .onConflictDoUpdate({ target: sentInvitations.userId, set: { times: sql`${recent} || excluded.times` } })
    .returning({ times });
  // The one whose hour has to be over before there is room for one more.
  const first = row?.times.at(-1 - most);
  if (!first) return;
  const waitMs = Math.min(first.getTime() + HOUR_MS - now.getTime(), HOUR_MS);
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const headers = {
    "retry-after": String(seconds),
    "ratelimit-policy": `"invitations";q=${most};w=${HOUR_MS / 1_000}`,
    ratelimit: `"invitations";r=0;t=${seconds}`,
  };
  fail("rate_limited", { headers });
}
