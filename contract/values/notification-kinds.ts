/** What a person is notified of, each kind with its description. */
export const notificationKinds = {
  "share.invited": "the person shares an estimation with you, by the share `subject.shareId`",
  "team.invited": "the person invites you to the team `subject.teamId`",
  "review.requested": "the person asks you for the review `subject.reviewId`",
  "review.approved": "the person approved your estimation, in the review `subject.reviewId`",
  "review.changes_requested": "the person requested changes, in the review `subject.reviewId`",
  "review.commented":
    "the person commented in the review `subject.reviewId`, of your estimation, by you, or in a thread of yours",
  "thread.commented":
    "the person wrote a message in the thread `subject.threadId`, of your estimation, or where you wrote lately",
  "round.asked": "the person asks you to estimate in the round `subject.roundId`",
  "round.due": "the round `subject.roundId` ends within a day, and you have not answered",
  "round.revealed": "the estimates of the round `subject.roundId`, in which you were asked, are shown",
  "export.ended": "your export `subject.exportId` has ended",
} as const;

export type NotificationKind = keyof typeof notificationKinds;

export const notificationKindNames = Object.keys(notificationKinds) as NotificationKind[];
