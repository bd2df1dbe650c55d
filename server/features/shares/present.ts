import type { Share } from "../../../contract/shares.ts";
import { invitationEnd, shareStatus } from "../../../domain/shares.ts";
import type { ShareRow } from "./store.ts";

/** Returns the share as the API shows it at `now`. */
export const presentShare = (row: ShareRow, now: Date): Share => ({
  id: row.id,
  estimationId: row.estimationId,
  estimationTitle: row.estimationTitle,
  email: row.email,
  permission: row.permission,
  status: shareStatus(row, now),
  userId: row.userId,
  userName: row.userName,
  sharerName: row.sharerName,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt.toISOString(),
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  expiresAt: row.acceptedAt ? null : invitationEnd(row.sentAt).toISOString(),
});
