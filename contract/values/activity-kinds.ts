/** What the activity of an estimation lists, each kind with its description. */
export const activityKinds = {
  "estimation.created": "made the estimation",
  "estimation.imported": "made the estimation from a file",
  "estimation.duplicated": "made the estimation as a copy of another one",
  "estimation.transferred": "gave the estimation to another owner, `subject.userId`",
  "estimation.deleted": "deleted the estimation",
  "estimation.undeleted": "brought the deleted estimation back",
  "content.edited": "changed the tree or the settings",
  "state.submitted": "submitted the estimation",
  "state.tasks_generated": "marked its tasks as generated",
  "state.exported": "marked it as exported",
  "state.reopened": "made it a draft again",
  "version.created": "made the version `subject.versionId`",
  "version.named": "named the version `subject.versionId`, or took its name away",
  "version.restored": "restored a version, which made the version `subject.versionId`",
  "template.applied": "applied the template `subject.templateId`",
  "tasks.generated": "generated the tasks",
  "tasks.edited": "changed or deleted tasks",
  "tasks.exported": "started the export `subject.exportId`",
  "tasks.read_back": "began to read back what is done, in the run `subject.exportId`",
  "issues.closed": "began to close issues of obsolete tasks, in the run `subject.exportId`",
  "export.cancelled": "cancelled the export `subject.exportId`",
  "export.resumed": "resumed the export `subject.exportId`",
  "timeline.edited": "changed the timeline or a milestone",
  "thread.forked": "began the thread `subject.threadId`, from the version `subject.versionId` if it says one",
  "thread.switched": "switched to the thread `subject.threadId`",
  "thread.merged": "merged the thread `subject.threadId`",
  "thread.merge_undone": "undid a merge into the thread `subject.threadId`",
  "thread.edited": "renamed, closed or deleted the thread `subject.threadId`",
  "thread.commented": "wrote a message in the thread `subject.threadId`",
  "share.invited": "shared it with an address or a team, by the share `subject.shareId`",
  "share.changed": "changed the permission of the share `subject.shareId`",
  "share.accepted": "accepted the share `subject.shareId`",
  "share.removed": "ended the share `subject.shareId`",
  "link.created": "made the link `subject.linkId` to a page for a client",
  "link.changed": "changed the link `subject.linkId`",
  "link.published": "published the version `subject.versionId` by the link `subject.linkId`",
  "link.revoked": "revoked the link `subject.linkId`",
  "proposal.accepted": "received an acceptance by the link `subject.linkId`, from somebody without an account",
  "proposal.commented": "received a comment by the link `subject.linkId`, from somebody without an account",
  "proposal.applied":
    "applied what a client has chosen by the link `subject.linkId`, which made the version `subject.versionId`",
  "review.requested": "asked for the review `subject.reviewId`",
  "review.approved": "approved, in the review `subject.reviewId`",
  "review.changes_requested": "requested changes, in the review `subject.reviewId`",
  "review.withdrawn": "withdrew the review `subject.reviewId`",
  "review.declined": "declined the review `subject.reviewId`",
  "review.commented": "commented in the review `subject.reviewId`",
  "round.opened": "asked people to estimate in the round `subject.roundId`",
  "round.revealed":
    "revealed the round `subject.roundId`; where it happened by itself, the person is the one who opened it",
  "round.adopted": "adopted hours of the round `subject.roundId`",
  "round.closed": "closed the round `subject.roundId`",
} as const;

export type ActivityKind = keyof typeof activityKinds;

export const activityKindNames = Object.keys(activityKinds) as ActivityKind[];

/**
 * Kinds that one person may do many times within a short time: those about the same record become one entry. They
 * include every kind that needs no right to change the estimation, so that a reader cannot crowd out the entries of
 * others.
 */
export const joinedKinds = [
  "content.edited",
  "timeline.edited",
  "tasks.edited",
  "version.named",
  "link.changed",
  "proposal.commented",
  "thread.commented",
  "review.approved",
  "review.changes_requested",
  "review.commented",
] as const satisfies ActivityKind[];

/** Returns whether several entries of this kind, by one person within a short time, become one. */
export const isJoined = (kind: ActivityKind): boolean => joinedKinds.some((one) => one === kind);

const CHANGE_HOURS: readonly ActivityKind[] = [
  "content.edited",
  "version.restored",
  "template.applied",
  "thread.switched",
  "thread.merged",
  "thread.merge_undone",
  "proposal.applied",
  "round.adopted",
];

/** Kinds that change hours, whose entries say by how much. */
export const changesHours = (kind: ActivityKind): boolean => CHANGE_HOURS.includes(kind);
