import type { Team, TeamInvitation, TeamMember } from "../../../contract/endpoints/teams.ts";
import { invitationEnd, invitationStatus } from "../../../domain/shares.ts";
import type { InvitationRow } from "./invitation-store.ts";
import type { MemberRow, TeamRow } from "./store.ts";

/** Returns a team as the API shows it to one of its members. */
export const presentTeam = ({ id, name, role, memberCount, createdAt }: TeamRow): Team => ({
  id,
  name,
  role,
  memberCount,
  createdAt: createdAt.toISOString(),
});

export const presentMember = ({ userId, name, email, avatarUrl, role, joinedAt }: MemberRow): TeamMember => ({
  userId,
  name,
  email,
  avatarUrl,
  role,
  joinedAt: joinedAt.toISOString(),
});

/** Returns an invitation as the API shows it at `now`. */
export const presentInvitation = (row: InvitationRow, now: Date): TeamInvitation => ({
  id: row.id,
  teamId: row.teamId,
  teamName: row.teamName,
  email: row.email,
  role: row.role,
  status: invitationStatus(row.sentAt, now),
  inviterName: row.inviterName,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt.toISOString(),
  expiresAt: invitationEnd(row.sentAt).toISOString(),
});
