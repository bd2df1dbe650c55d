import type { NotificationKind } from "../../../../contract/values/notification-kinds.ts";

type Says = (who: string, what: string) => string;

/** Texts of the list of notifications in the head. */
export const bellTexts = {
  title: "Notifications",
  button: (unread: number) => (unread === 0 ? "Notifications" : `Notifications, ${unread} unread`),
  says: {
    "share.invited": (who, what) => `${who} shares ${what} with you`,
    "team.invited": (who, what) => `${who} invites you to the team ${what}`,
    "review.requested": (who, what) => `${who} asks you to review ${what}`,
    "review.approved": (who, what) => `${who} approved ${what}`,
    "review.changes_requested": (who, what) => `${who} requested changes to ${what}`,
    "review.commented": (who, what) => `${who} commented on ${what}`,
    "thread.commented": (who, what) => `${who} wrote in a thread of ${what}`,
    "export.ended": (_, what) => `Your export of ${what} has ended`,
    "round.asked": (who, what) => `${who} asks you to estimate ${what} together`,
    "round.due": (_, what) => `The round of ${what} ends soon: your estimates are missing`,
    "round.revealed": (_, what) => `What people estimated for ${what} is revealed`,
  } satisfies Record<NotificationKind, Says>,
  someone: "Someone",
  quoted: (title: string) => `“${title}”`,
  unseen: { estimation: "an estimation you can’t see any more", team: "that you can’t see any more" },
  unread: "Unread",
  readAll: "Mark all as read",
  empty: "Nothing yet. Invitations, reviews, rounds, comments, messages and finished exports show here.",
  more: "Show more",
  settings: "E-mail settings",
} as const;
