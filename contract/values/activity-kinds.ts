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
  "version.restored": "restored a version, which made the version `subject.versionId`",
  "template.applied": "applied the template `subject.templateId`",
  "tasks.generated": "generated the tasks",
  "tasks.edited": "changed or deleted tasks",
  "tasks.exported": "started the export `subject.exportId`",
  "tasks.read_back": "began to read back what is done, in the run `subject.exportId`",
  "export.cancelled": "cancelled the export `subject.exportId`",
  "export.resumed": "resumed the export `subject.exportId`",
  "timeline.edited": "changed the timeline or a milestone",
  "thread.forked": "began the thread `subject.threadId`, from the version `subject.versionId` if it says one",
  "thread.switched": "switched to the thread `subject.threadId`",
  "thread.merged": "merged the thread `subject.threadId`",
  "thread.edited": "renamed, closed or deleted the thread `subject.threadId`",
  "thread.commented": "wrote a message in the thread `subject.threadId`",
  "share.invited": "shared it with an address, by the share `subject.shareId`",
  "share.changed": "changed the permission of the share `subject.shareId`",
  "share.accepted": "accepted the share `subject.shareId`",
  "share.removed": "ended the share `subject.shareId`",
  "review.requested": "asked for the review `subject.reviewId`",
  "review.approved": "approved, in the review `subject.reviewId`",
  "review.changes_requested": "requested changes, in the review `subject.reviewId`",
  "review.withdrawn": "withdrew the review `subject.reviewId`",
  "review.declined": "declined the review `subject.reviewId`",
  "review.commented": "commented in the review `subject.reviewId`",
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
];

/** Kinds that change hours, whose entries say by how much. */
export const changesHours = (kind: ActivityKind): boolean => CHANGE_HOURS.includes(kind);
