import type { Session, User } from "../../../contract/endpoints/auth.ts";
import { deviceOf } from "../../../domain/user-agent.ts";
import type { SessionRow } from "./session-store.ts";
import { endOf } from "./sign-ins.ts";
import type { UserRow } from "./store.ts";

export const presentUser = ({ id, email, name, avatarUrl, emailVerifiedAt, ...row }: UserRow): User => ({
  id,
  email,
  name,
  avatarUrl,
  emailVerifiedAt: emailVerifiedAt?.toISOString() ?? null,
  defaultTeamId: row.defaultTeamId,
  defaultPermission: row.defaultPermission,
  createdAt: row.createdAt.toISOString(),
  isAdministrator: row.isAdministrator,
  undeliveredAt: row.undeliveredAt?.toISOString() ?? null,
});

/** `currentId`: the session of the caller. */
export const presentSession = (row: SessionRow, currentId: string | null): Session => ({
  id: row.id,
  device: row.userAgent === null ? null : deviceOf(row.userAgent),
  userAgent: row.userAgent,
  ip: row.ip,
  signedInAt: row.signedInAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  endsAt: endOf(row.signedInAt).toISOString(),
  current: row.id === currentId,
});
