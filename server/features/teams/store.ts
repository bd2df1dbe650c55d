import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { TeamRole } from "../../../contract/values/team-roles.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { lockMembership } from "./membership-store.ts";
import { teamMembers, teams } from "./tables.ts";

/** A team as one of its members sees it. */
export type TeamRow = Pick<typeof teams.$inferSelect, "id" | "name" | "createdAt"> & {
  readonly role: TeamRole;
  readonly memberCount: number;
};

/** A member, with what the others see of the person. */
export type MemberRow = typeof teamMembers.$inferSelect & {
  readonly name: string;
  readonly email: string;
  readonly avatarUrl: string | null;
};

const isOf = (teamId: string, userId: string) => and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId));
const isEnabled = and(eq(users.id, teamMembers.userId), isNull(users.disabledAt));
const isAdmin = eq(teamMembers.role, "admin");

const memberCount = sql<number>`(select count(*)::int from team_members others where others.team_id = ${teams.id})`;

const selectTeams = (db: Queryable, userId: string, condition?: SQL) =>
  db
    .select({ id: teams.id, name: teams.name, createdAt: teams.createdAt, role: teamMembers.role, memberCount })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), isNull(teams.endedAt)))
    .where(and(eq(teamMembers.userId, userId), condition));

/** Reads at most `limit` teams of a user, newest first, after `afterId` if given. */
export const listTeams = (db: Queryable, userId: string, limit: number, afterId: string | null): Promise<TeamRow[]> =>
  selectTeams(db, userId, afterId === null ? undefined : lt(teams.id, afterId))
    .orderBy(desc(teams.id))
    .limit(limit);

/** Reads a team that a user is a member of. */
export async function findTeam(db: Queryable, teamId: string, userId: string): Promise<TeamRow | undefined> {
  const [row] = await selectTeams(db, userId, eq(teams.id, teamId));
  return row;
}

/** Returns the name of a team. */
export async function findTeamName(db: Queryable, teamId: string): Promise<string | null> {
  const [row] = await db.select({ name: teams.name }).from(teams).where(eq(teams.id, teamId));
  return row?.name ?? null;
}

/**
 * Locks a team that was not deleted, until the transaction ends: whatever changes its members or invitations does so first.
 * Returns whether there is one.
 */
export async function lockTeam(tx: Queryable, teamId: string): Promise<boolean> {
  const found = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), isNull(teams.endedAt)))
    .for("no key update");
  return found.length > 0;
}

/** Returns the role of a user in a team; null: not a member. */
export async function roleIn(db: Queryable, teamId: string, userId: string): Promise<TeamRole | null> {
  const [row] = await db.select({ role: teamMembers.role }).from(teamMembers).where(isOf(teamId, userId));
  return row?.role ?? null;
}

/** Returns whether a user is an admin of a team whose account is not disabled. */
export async function isStandingAdmin(db: Queryable, teamId: string, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(teamMembers)
    .innerJoin(users, isEnabled)
    .where(and(isOf(teamId, userId), isAdmin));
  return found.length > 0;
}

/** Returns whether a user belongs to a team, which stays so until the transaction ends. */
export const isMember = async (tx: Queryable, teamId: string, userId: string): Promise<boolean> =>
  (await lockMembership(tx, teamId, userId)) !== null;

/** Makes the joining of teams by one user happen one after the other, until the transaction ends. */
export async function lockJoining(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('teams of ' || ${userId}, 0))`);
}

/** Returns the ids of the teams of a user, in the order in which they are locked. */
export async function listTeamIds(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: teamMembers.teamId })
    .from(teamMembers)
    .where(eq(teamMembers.userId, userId))
    .orderBy(teamMembers.teamId);
  return rows.map(({ id }) => id);
}

export async function countTeams(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.select({ teams: count() }).from(teamMembers).where(eq(teamMembers.userId, userId));
  return row?.teams ?? 0;
}

export async function countMembers(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db.select({ members: count() }).from(teamMembers).where(eq(teamMembers.teamId, teamId));
  return row?.members ?? 0;
}

/** Returns whether a team has an admin whose account is not disabled, other than `exceptId` if given. */
export async function hasStandingAdmin(db: Queryable, teamId: string, exceptId?: string): Promise<boolean> {
  const except = exceptId === undefined ? undefined : ne(teamMembers.userId, exceptId);
  const found = await db
    .select({ id: users.id })
    .from(teamMembers)
    .innerJoin(users, isEnabled)
    .where(and(eq(teamMembers.teamId, teamId), isAdmin, except))
    .limit(1);
  return found.length > 0;
}

/** Returns the id of the member whose account is not disabled and who has been in a team longest. */
export async function findLongestStanding(db: Queryable, teamId: string): Promise<string | undefined> {
  const [first] = await db
    .select({ id: users.id })
    .from(teamMembers)
    .innerJoin(users, isEnabled)
    .where(eq(teamMembers.teamId, teamId))
    .orderBy(asc(teamMembers.joinedAt), asc(teamMembers.userId))
    .limit(1);
  return first?.id;
}

export async function insertTeam(tx: Queryable, team: typeof teams.$inferInsert): Promise<void> {
  await tx.insert(teams).values(team);
}

export async function renameTeam(tx: Queryable, teamId: string, name: string): Promise<void> {
  await tx.update(teams).set({ name }).where(eq(teams.id, teamId));
}

export async function insertMember(tx: Queryable, member: typeof teamMembers.$inferInsert): Promise<void> {
  await tx.insert(teamMembers).values(member);
}

export async function setRole(tx: Queryable, teamId: string, userId: string, role: TeamRole): Promise<void> {
  await tx.update(teamMembers).set({ role }).where(isOf(teamId, userId));
}

/** Removes a member of a locked team, whose default team it is not any more. */
export async function removeMember(tx: Queryable, teamId: string, userId: string): Promise<void> {
  await tx.delete(teamMembers).where(isOf(teamId, userId));
  await tx
    .update(users)
    .set({ defaultTeamId: null })
    .where(and(eq(users.id, userId), eq(users.defaultTeamId, teamId)));
}

/** Marks a locked team as deleted, and removes all its members. */
export async function endTeam(tx: Queryable, teamId: string, now: Date): Promise<void> {
  // Deleting first waits for whoever is making this team the default one.
  const members = await tx
    .delete(teamMembers)
    .where(eq(teamMembers.teamId, teamId))
    .returning({ id: teamMembers.userId });
  const ids = members.map(({ id }) => id);
  await tx
    .update(users)
    .set({ defaultTeamId: null })
    .where(and(inArray(users.id, ids), eq(users.defaultTeamId, teamId)));
  await tx.update(teams).set({ endedAt: now }).where(eq(teams.id, teamId));
}

const selectMembers = (db: Queryable, condition: SQL | undefined) =>
  db
    .select({ ...getTableColumns(teamMembers), name: users.name, email: users.email, avatarUrl: users.avatarUrl })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(condition)
    .orderBy(asc(teamMembers.joinedAt), asc(teamMembers.userId));

/** Reads at most `limit` members of a team in the order in which they joined, after the given one if there is one. */
export const listMembers = (
  db: Queryable,
  teamId: string,
  limit: number,
  after: { readonly at: Date; readonly id: string } | null,
): Promise<MemberRow[]> => {
  const later =
    after &&
    or(gt(teamMembers.joinedAt, after.at), and(eq(teamMembers.joinedAt, after.at), gt(teamMembers.userId, after.id)));
  return selectMembers(db, and(eq(teamMembers.teamId, teamId), later ?? undefined)).limit(limit);
};

export async function findMember(db: Queryable, teamId: string, userId: string): Promise<MemberRow | undefined> {
  const [row] = await selectMembers(db, isOf(teamId, userId));
  return row;
}

/** Returns whether a member of the team has this address. */
export async function hasMemberWith(db: Queryable, teamId: string, email: string): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(teamMembers, and(eq(teamMembers.userId, users.id), eq(teamMembers.teamId, teamId)))
    .where(eq(users.email, email));
  return found.length > 0;
}
