import { and, count, desc, eq, getTableColumns, gte, isNull, lt, type SQL } from "drizzle-orm";
import type { TeamRole } from "../../../contract/values/team-roles.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { teamInvitations, teams } from "./tables.ts";

/** An invitation with the names that are shown with it. */
export type InvitationRow = Omit<typeof teamInvitations.$inferSelect, "mailedAt"> & {
  readonly teamName: string;
  readonly inviterName: string;
};

const { mailedAt: _, ...columns } = getTableColumns(teamInvitations);

/** Invitations to teams that were not deleted, newest first. */
const selectInvitations = (db: Queryable, ...conditions: (SQL | undefined)[]) =>
  db
    .select({ ...columns, teamName: teams.name, inviterName: users.name })
    .from(teamInvitations)
    .innerJoin(teams, and(eq(teams.id, teamInvitations.teamId), isNull(teams.endedAt)))
    .innerJoin(users, eq(users.id, teamInvitations.inviterId))
    .where(and(...conditions))
    .orderBy(desc(teamInvitations.id));

const before = (afterId: string | null) => (afterId === null ? undefined : lt(teamInvitations.id, afterId));

export async function findInvitation(db: Queryable, id: string): Promise<InvitationRow | undefined> {
  const [row] = await selectInvitations(db, eq(teamInvitations.id, id));
  return row;
}

/** Reads the invitation of an address to a team. */
export async function findInvitationOf(
  db: Queryable,
  teamId: string,
  email: string,
): Promise<InvitationRow | undefined> {
  const [row] = await selectInvitations(db, eq(teamInvitations.teamId, teamId), eq(teamInvitations.email, email));
  return row;
}

/** Reads at most `limit` invitations to a team, newest first, after `afterId` if given. */
export const listInvitations = (
  db: Queryable,
  teamId: string,
  limit: number,
  afterId: string | null,
): Promise<InvitationRow[]> => selectInvitations(db, eq(teamInvitations.teamId, teamId), before(afterId)).limit(limit);

/** The same of the invitations of an address, but for those that were last sent before `since`. */
export const listInvitationsOf = (
  db: Queryable,
  { email, since }: { readonly email: string; readonly since: Date },
  limit: number,
  afterId: string | null,
): Promise<InvitationRow[]> =>
  selectInvitations(db, eq(teamInvitations.email, email), gte(teamInvitations.sentAt, since), before(afterId)).limit(
    limit,
  );

/** Returns how many of them there are, counted up to `most`. */
export async function countInvitationsOf(
  db: Queryable,
  { email, since }: { readonly email: string; readonly since: Date },
  most: number,
): Promise<number> {
  const found = db
    .select({ id: teamInvitations.id })
    .from(teamInvitations)
    .innerJoin(teams, and(eq(teams.id, teamInvitations.teamId), isNull(teams.endedAt)))
    .where(and(eq(teamInvitations.email, email), gte(teamInvitations.sentAt, since)))
    .limit(most)
    .as("found");
  const [row] = await db.select({ invitations: count() }).from(found);
  return row?.invitations ?? 0;
}

export async function countInvitations(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db
    .select({ invitations: count() })
    .from(teamInvitations)
    .where(eq(teamInvitations.teamId, teamId));
  return row?.invitations ?? 0;
}

/** Stores a new invitation to a locked team, which has none with the same address. */
export async function insertInvitation(tx: Queryable, invitation: typeof teamInvitations.$inferInsert): Promise<void> {
  await tx.insert(teamInvitations).values(invitation);
}

/** Stores that an invitation was sent again. */
export async function renewInvitation(
  tx: Queryable,
  id: string,
  changes: { readonly role: TeamRole; readonly inviterId: string; readonly sentAt: Date },
): Promise<void> {
  await tx.update(teamInvitations).set(changes).where(eq(teamInvitations.id, id));
}

/** Removes an invitation; returns whether it was still there. */
export async function removeInvitation(tx: Queryable, id: string): Promise<boolean> {
  const removed = await tx.delete(teamInvitations).where(eq(teamInvitations.id, id));
  return removed.rowCount === 1;
}

/** Removes the invitations to a locked team that a user sent who does not speak for it any more. */
export async function removeInvitationsBy(tx: Queryable, teamId: string, inviterId: string): Promise<void> {
  await tx
    .delete(teamInvitations)
    .where(and(eq(teamInvitations.teamId, teamId), eq(teamInvitations.inviterId, inviterId)));
}

/** Removes all invitations to a team that is deleted. */
export async function removeInvitationsTo(tx: Queryable, teamId: string): Promise<void> {
  await tx.delete(teamInvitations).where(eq(teamInvitations.teamId, teamId));
}
