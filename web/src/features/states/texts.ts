import { formatCount, many } from "../../ui/numbers/format.ts";

/** Texts of the head of an estimation, with its states. */
export const stateTexts = {
  pages: "Pages of this estimation",
  share: "Share",
  requestReview: "Request review",
  reviews: {
    pending: "Review requested",
    changes_requested: "Review: changes requested",
    approved: "Review: approved",
  },
  tabs: { tree: "Tree", tasks: "Tasks", shares: "Shares" },
  moves: {
    submit: "Submit",
    "mark-tasks-generated": "Mark tasks as generated",
    "mark-exported": "Mark as exported",
    reopen: "Reopen",
  },
  reopenHint: "Makes it a draft again so it can be edited",
  more: "Other actions",
  locked: {
    submitted: "Submitted and read-only. Reopen it to edit, or generate its tasks.",
    tasks_generated: "Tasks are generated; the tree is read-only. Reopen it to edit.",
    exported: "Tasks are exported; the tree is read-only. Reopen it to edit.",
  },
  lockedForReaders: "Submitted and read-only. The owner or an editor can reopen it.",
  stale: "Someone else changed it in the meantime. Check the current version, then try again.",
  notSaved: "Some edits aren’t saved yet. Try again once they are.",
  incomplete: (count: number) => `Fix ${many(count, "problem", "problems")} before you submit:`,
  moreProblems: (count: number) => `and ${formatCount(count)} more`,
  remedied: "Ready to submit",
} as const;
