import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import type { TeamHooks } from "./hooks.ts";
import { removeInvitationsBy, removeInvitationsTo } from "./invitation-store.ts";
import {
  endTeam,
  findLongestStanding,
  hasStandingAdmin,
  listMembers,
  listTeamIds,
  lockJoining,
  lockTeam,
  removeMember,
  roleIn,
  setRole,
} from "./store.ts";

/** What happened to the account of a member. */
interface Cause {
  readonly userId: string;
  /** The administrator who did it; null: the operator. */
  readonly actorId: string | null;
  readonly now: Date;
}

/** Deletes a locked team: its members and invitations at once, what is shared with it by jobs. */
export async function endWholeTeam(
  tx: Queryable,
  teamId: string,
  { whenEnded }: Pick<TeamHooks, "whenEnded">,
  now: Date,
): Promise<void> {
  await removeInvitationsTo(tx, teamId);
  await endTeam(tx, teamId, now);
  for (const act of whenEnded) await act(tx, teamId, now);
}

/**
 * Locks the teams of a user, who joins none until the transaction ends, and returns their ids. Whoever locks accounts, too,
 * does so afterwards, as everybody who joins or leaves.
 */
export async function lockTeamsOf(tx: Queryable, userId: string): Promise<string[]> {
  await lockJoining(tx, userId);
  const locked: string[] = [];
  for (const teamId of await listTeamIds(tx, userId))
    if ((await lockTeam(tx, teamId)) && (await roleIn(tx, teamId, userId)) !== null) locked.push(teamId);
  return locked;
}

/**
 * Makes the enabled member who has been longest in a locked team its admin, if none of its admins is enabled. If nobody is
 * enabled, nothing happens.
 */
async function appointAdmin(
  tx: Queryable,
  services: Pick<Services, "ids">,
  teamId: string,
  { userId, actorId, now }: Cause,
): Promise<void> {
  if (await hasStandingAdmin(tx, teamId)) return;
  const appointedId = await findLongestStanding(tx, teamId);
  if (appointedId === undefined) return;
  await setRole(tx, teamId, appointedId, "admin");
  await recordIdentityEvent(tx, services, {
    ...{ userId: appointedId, event: "team.role_changed", actorId, ip: null, userAgent: null, now },
    otherUserId: userId === appointedId ? null : userId,
  });
}

/**
 * After the account of a member was disabled or enabled: its invitations to its teams, which are locked, end, and every team
 * has an admin who can sign in, if a member can.
 */
export async function changeStanding(
  tx: Queryable,
  services: Pick<Services, "ids">,
  teamIds: readonly string[],
  cause: Cause,
): Promise<void> {
  for (const teamId of teamIds) {
    await removeInvitationsBy(tx, teamId, cause.userId);
    await appointAdmin(tx, services, teamId, cause);
  }
}

/**
 * Takes a person whose account is erased out of all teams. A team without an admin then goes to the member who has been in
 * it longest; one without a member is deleted.
 */
export async function leaveAllTeams(
  tx: Queryable,
  services: Pick<Services, "ids">,
  cause: Cause,
  hooks: Pick<TeamHooks, "whenEnded">,
): Promise<void> {
  const { userId, now } = cause;
  for (const teamId of await lockTeamsOf(tx, userId)) {
    await removeMember(tx, teamId, userId);
    await removeInvitationsBy(tx, teamId, userId);
    if ((await listMembers(tx, teamId, 1, null)).length === 0) await endWholeTeam(tx, teamId, hooks, now);
    else await appointAdmin(tx, services, teamId, cause);
  }
}
