import type { ShareStatus } from "../contract/endpoints/shares.ts";
import { limits } from "../contract/limits.ts";
import type { AccessLevel } from "../contract/rights.ts";
import type { SharePermission } from "../contract/values/share-permissions.ts";

const VALID_MS = limits.invitationDays * 86_400_000;

/** The level that an accepted share gives. */
export const sharedLevels = {
  view: "viewer",
  edit: "editor",
} as const satisfies Record<SharePermission, AccessLevel>;

/** Returns the last millisecond in which an invitation that was last sent at `sentAt` can be accepted. */
export const invitationEnd = (sentAt: Date): Date => new Date(sentAt.getTime() + VALID_MS);

/** Returns the earliest `sentAt` of the invitations that can be accepted at `now`. */
export const earliestSentAt = (now: Date): Date => new Date(now.getTime() - VALID_MS);

/** Returns whether an invitation that was last sent at `sentAt` can be accepted at `now`. */
export const invitationStatus = (sentAt: Date, now: Date): "pending" | "expired" =>
  sentAt < earliestSentAt(now) ? "expired" : "pending";

/** Returns the status of a share at `now`. */
export function shareStatus(
  { sentAt, acceptedAt }: { readonly sentAt: Date; readonly acceptedAt: Date | null },
  now: Date,
): ShareStatus {
  return acceptedAt ? "accepted" : invitationStatus(sentAt, now);
}
