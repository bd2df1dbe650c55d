import { eq, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { teamInvitations } from "../teams/index.ts";
import { sentInvitations, shares } from "./tables.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Counts a mail with an invitation that a user causes. Refuses (429, with the seconds to wait) more than `most` within
 * any hour. Concurrent calls for one user run one after the other until their transactions end, and deleting a share
 * does not change the count.
 */
export async function countInvitation(tx: Queryable, userId: string, most: number, now: Date): Promise<void> {
  const { times } = sentInvitations;
  const [row] = await tx
    .insert(sentInvitations)
    .values({ userId, times: [now] })
    .onConflictDoUpdate({
      target: sentInvitations.userId,
      set: { times: sql`${since(times, now, HOUR_MS)} || excluded.times` },
    })
    .returning({ times });
  refuseBeyond(row?.times ?? [], { policy: "invitations", most, windowMs: HOUR_MS, now });
}

/** What somebody is invited to: a share by its id, or a team by the id of the invitation. */
export interface Invited {
  readonly to: "share" | "team";
  readonly id: string;
}

/** The same of the mails with one invitation, within any day. The estimation or the team has to be locked. */
export async function countMail(tx: Queryable, { to, id }: Invited, now: Date): Promise<void> {
  const table = to === "share" ? shares : teamInvitations;
  const mailedAt = sql`${since(table.mailedAt, now, DAY_MS)} || ${now.toISOString()}::timestamptz`;
  const [row] =
    to === "share"
      ? await tx.update(shares).set({ mailedAt }).where(eq(shares.id, id)).returning({ times: shares.mailedAt })
      : await tx
          .update(teamInvitations)
          .set({ mailedAt })
          .where(eq(teamInvitations.id, id))
          .returning({ times: teamInvitations.mailedAt });
  refuseBeyond(row?.times ?? [], { policy: to, most: limits.invitationMailsPerDay, windowMs: DAY_MS, now });
}

/** The times in a column that are within the window before `now`, ascending. */
const since = (times: AnyPgColumn, now: Date, windowMs: number): SQL =>
  sql`array(select at from unnest(${times}) as at where at > ${new Date(now.getTime() - windowMs).toISOString()}::timestamptz order by at)`;

interface Bound {
  /** The name of the limit in the headers of the refusal. */
  readonly policy: string;
  readonly most: number;
  readonly windowMs: number;
  readonly now: Date;
}

/** Refuses (429) where there are more than `most` times in the window, the last one of which is `now`. */
function refuseBeyond(times: readonly Date[], { policy, most, windowMs, now }: Bound): void {
  // The mail whose window has to end before another one is allowed.
  const first = times.at(-1 - most);
  if (!first) return;
  const waitMs = Math.min(first.getTime() + windowMs - now.getTime(), windowMs);
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const headers = {
    "retry-after": String(seconds),
    "ratelimit-policy": `"${policy}";q=${most};w=${windowMs / 1_000}`,
    ratelimit: `"${policy}";r=0;t=${seconds}`,
  };
  fail("rate_limited", { headers });
}
