import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { teamMembers } from "./tables.ts";

/**
 * SQL of type `text[]`: the ids of the teams of a user, in order. It is read with each statement, so joining and leaving a team
 * take effect at once.
 */
export function teamsOf(userId: string | SQLWrapper): SQL {
  const { teamId, userId: member } = teamMembers;
  return sql`array(select ${teamId} from ${teamMembers} where ${member} = ${userId} order by ${teamId})`;
}

/** SQL of type `text[]`: the ids of those who hold access on behalf of a user, the user and then the user's teams. */
export const holdersOf = (userId: string): SQL => sql`array_prepend(${userId}::text, ${teamsOf(userId)})`;

/**
 * Returns the role of a member, or null. Until the transaction ends, nobody can end the membership. Whoever locks estimations
 * too does it before, and whoever ends memberships locks no estimation afterwards: so there are no deadlocks.
 */
export async function lockMembership(
  tx: Queryable,
  teamId: string,
  userId: string,
): Promise<Pick<typeof teamMembers.$inferSelect, "role"> | null> {
  const [membership] = await tx
    .select({ role: teamMembers.role })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)))
    .for("key share");
  return membership ?? null;
}
