import type { ThreadStatus } from "../../../../contract/endpoints/threads.ts";
import type { VersionCause } from "../../../../contract/endpoints/versions.ts";
import { formatCount, formatHours, many } from "../../ui/numbers/format.ts";

const causes: Readonly<Record<VersionCause, string>> = {
  manual: "Saved",
  submit: "Submitted",
  review: "Review requested",
  tasks: "Tasks generated",
  restore: "Saved by a restore",
  template: "Template added",
  merge: "Merged",
  switch: "Saved when the thread was switched",
  link: "Published for a client",
  round: "Round opened",
};

const statuses: Readonly<Record<ThreadStatus, string>> = { open: "Open", closed: "Closed", merged: "Merged" };

/** Texts of the pages about versions and threads. */
export const versionTexts = {
  title: (title: string) => `Versions of ${title}`,
  emptyTitle: "No versions yet",
  empty: "Save one before a change you may want to take back. Submitting and asking for a review save one too.",
  emptyForReaders: "A version is saved when the estimation is submitted or reviewed.",
  counted: (count: number) => many(count, "version", "versions"),
  list: "Versions",
  columns: {
    graph: "Line",
    version: "Version",
    thread: "Thread",
    p80: "P80, h",
    change: "Change",
    author: "By",
    when: "When",
    actions: "Actions",
  },
  numbered: (number: number) => `Version ${number}`,
  causes,
  latest: "latest",
  unknownThread: "Deleted thread",
  menu: (number: number) => `Actions for version ${number}`,
  locked: "Read-only: reopen it to restore a version or switch threads.",

  save: "Save version",
  name: "Name",
  nameHint: "Such as “Offer of June”",
  saved: (number: number) => `Saved as version ${number}.`,
  found: (number: number) => `Nothing has changed since version ${number}.`,
  compare: "Compare",
  compareNow: "What has changed since",
  compareBefore: "What it changed",
  rename: "Name…",
  renameTitle: (number: number) => `Name version ${number}`,

  restore: "Restore",
  restoreTitle: (number: number) => `Restore version ${number}?`,
  restoreLoading: "Looking for what would change…",
  restoreSame: "The estimation already has this content.",
  restoreText: (changes: number, before: number, after: number) =>
    `${many(changes, "change", "changes")} since then will be undone: ${formatHours(before)} h expected become ${formatHours(after)} h.`,
  restoreCompare: "Compare",
  restoreKept: "What it says now stays in this list. Tags and tasks don’t change.",
  /** Here, because every page loads those of `api/texts.ts`. */
  refusals: {
    head_moved: "Someone else saved a version in the meantime.",
    merge_conflict: "Someone else changed it too: there is more to decide.",
    thread_not_open: "This thread was closed or merged.",
  } as Readonly<Record<string, string>>,
  /** After what went wrong, where it is loaded again. */
  anew: "You see it as it is now.",
  restored: (number: number, as: number) => `Version ${number} restored, as version ${as}.`,

  threads: {
    title: "Threads",
    intro: "Lines of versions side by side, such as one for each offer.",
    all: "All threads",
    show: (title: string) => `Show only ${title}`,
    statuses,
    current: "current",
    p80: (hours: number) => `P80 ${formatHours(hours)} h`,
    menu: (title: string) => `Actions for the thread ${title}`,
    begin: "New thread from here…",
    beginTitle: (number: number) => `New thread from version ${number}`,
    name: "Name",
    nameHint: "Such as “MVP” or “Client B”",
    alsoSwitch: "Switch to it now",
    create: "Create thread",
    created: (title: string) => `Thread “${title}” created.`,
    switchTo: "Switch to it",
    switched: (title: string, kept: number | null, tasks: number) =>
      [
        `Switched to “${title}”.`,
        ...(kept === null ? [] : [`What you left is kept as version ${kept}.`]),
        ...(tasks === 0
          ? []
          : [`Generate the tasks again to follow it: ${many(tasks, "task", "tasks")} would change.`]),
      ].join(" "),
    rename: "Rename…",
    renameTitle: "Rename thread",
    close: "Close",
    reopen: "Reopen",
    remove: "Delete…",
    removeTitle: (title: string) => `Delete the thread “${title}”?`,
    removeText: "Its messages are deleted. Its versions stay in this list.",
    removeAction: "Delete thread",
    merge: "Merge…",
  },

  changes: {
    list: "Changes",
    tree: "Tree with its changes",
    only: "Changes only",
    moved: "Somebody has just changed it. Close this, and open it again.",
    targets: { setting: "The estimation", milestone: "Milestone" },
    unknown: "something that was removed",
    more: (count: number) => `and ${formatCount(count)} more`,
  },

  messages: {
    title: (thread: string) => `Messages in ${thread}`,
    write: "Write a message",
    send: "Send",
    sendKey: "Ctrl+Enter",
    about: "About",
    all: "the whole thread",
    tree: "Questions and options",
    none: "No messages yet.",
    aVersion: "a version",
    gone: "something that was removed",
    resolve: "Resolve",
    reopen: "Reopen",
    resolvedBy: (name: string) => `Resolved by ${name}.`,
    counted: (count: number) => many(count, "message", "messages"),
  },

  merge: {
    title: (from: string) => `Merge “${from}”`,
    into: "Into",
    loading: "Comparing both threads…",
    step: (at: number, count: number) => `Decision ${at} of ${count}`,
    wholeTree: "The tree as a whole",
    settings: "The estimation",
    kinds: {
      changed: "Changed on both sides",
      removed: "Removed on one side, changed on the other",
      moved: "Moved to two places",
      moved_into_itself: "Both moves together would put it below itself",
      structure: "Both changes together don’t go",
    },
    /** Why, by the code of the rule. */
    rules: {
      cycle: "options would require each other in a circle",
      several_selected: "only one option can be chosen here",
      too_many: "there would be too many",
      too_deep: "questions would be nested too deep",
    } as Readonly<Record<string, string>>,
    with: (titles: string) => `Together with ${titles}`,
    before: "Before",
    p80: (hours: number) => `P80 ${formatHours(hours)} h`,
    removed: "Removed",
    kept: "Kept, with its change",
    keptWith: (changes: string) => `Kept, with ${changes}`,
    thisSide: "Keep what this side changed",
    top: "at the top",
    below: (title: string) => `below “${title}”`,
    placed: (title: string, place: string) => `“${title}” ${place}`,
    needs: (title: string, options: string) => `“${title}” needs ${options}`,
    missing: (title: string) => `no “${title}”`,
    more: (count: number) => `${formatCount(count)} more`,
    unknown: "something that was removed",
    bounds: (min: number | null, max: number | null) =>
      max === null
        ? min === null
          ? "any number"
          : `${formatCount(min)} or more`
        : min === null
          ? `at most ${formatCount(max)}`
          : `${formatCount(min)} to ${formatCount(max)}`,
    next: "Next",
    back: "Back",
    same: (into: string) => `“${into}” already has all of it.`,
    changes: (count: number, into: string) => `${many(count, "change", "changes")} will be made in “${into}”.`,
    hours: (what: string, before: number, after: number) =>
      `${what} ${formatHours(before)} h → ${formatHours(after)} h`,
    expected: "Expected",
    twice: "Both threads added these, so they will be there twice. Remove one of each if they are the same:",
    twiceOne: (title: string, hours: number | null) => (hours === null ? title : `${title}, ${formatHours(hours)} h`),
    tasks: (count: number) => `Generate the tasks again to follow it: ${many(count, "task", "tasks")} would change.`,
    action: "Merge",
    noTarget: "It can’t be merged into that thread any more. Choose another one.",
    merged: (from: string, into: string) => `“${from}” merged into “${into}”.`,
    undo: "Undo",
    undoing: "Undoing…",
    undoThis: "Undo this merge…",
    undoTitle: (number: number) => `Undo the merge of version ${number}?`,
    undoText: (into: string) =>
      `“${into}” is again as it was before, and what was merged into it can be changed and merged again. No version is lost; content that is in none yet is saved as one first.`,
    undoAction: "Undo merge",
    undone: (reopened: readonly string[], kept: number | null) =>
      [
        "Merge undone.",
        ...reopened.map((title) => `“${title}” is open again.`),
        ...(kept === null ? [] : [`What you left is kept as version ${kept}.`]),
      ].join(" "),
  },
} as const;
