import type { GenerationSummary, Task } from "../../../../contract/endpoints/tasks.ts";
import { formatCount, formatHours, many } from "../../ui/numbers/format.ts";

const tasks = (count: number) => many(count, "task", "tasks");

type Counted = Exclude<keyof GenerationSummary, "conflicts">;

/** What a generation does, by count. */
const counted: Readonly<Record<Counted, (count: number) => string>> = {
  created: (count) => `${tasks(count)} new`,
  updated: (count) => `${tasks(count)} changed`,
  removed: (count) => `${tasks(count)} removed: no longer counted, and nobody worked on them`,
  obsolete: (count) => `${tasks(count)} obsolete: no longer counted, but kept because people worked on them`,
  unchanged: (count) => `${tasks(count)} unchanged`,
};

const trackers: Readonly<Record<NonNullable<Task["externalRef"]>["target"], string>> = {
  github: "GitHub",
  jira: "Jira",
};

/** The texts of the page of an estimation's tasks. */
export const taskTexts = {
  title: (title: string) => `Tasks of ${title}`,
  command: "Generate tasks",
  list: "Tasks",
  counts: tasks,
  trackers,
  statusFilter: "Filter tasks",
  statuses: { all: "All", open: "Open", obsolete: "Obsolete" },
  noneOfStatus: "No tasks here.",
  emptyTitle: "No tasks yet",
  empty: "Tasks are generated from the tree: one for each option that counts, with its expected hours.",
  emptyForReaders: "The owner or an editor can generate them from the tree.",
  columns: {
    done: "Done",
    title: "Task",
    role: "Role",
    hours: "Hours",
    hoursHint: "Expected hours; they add up to the expected hours of the estimation",
    actual: "Actual",
    actualHint: "Hours it took",
    issue: "Issue",
    actions: "Actions",
  },
  doneOf: (title: string) => `${title} is done`,
  actualOf: (title: string) => `Actual hours of ${title}`,
  menu: (title: string) => `Actions for ${title}`,
  obsolete: "obsolete",
  obsoleteHint: "Its option no longer counts, but people worked on it",
  edited: "edited",
  editedHint: "Differs from the tree, and stays so when tasks are generated again",
  doneAt: "Done",
  dropped: "dropped",
  droppedHint: (day: string) => `Its issue was closed on ${day}, but the work wasn’t done`,
  unreadableHours: `Enter hours such as ${formatHours(7.5)} or 2d`,

  edit: "Edit",
  editTitle: "Edit task",
  fields: {
    title: "Title",
    description: "Description",
    hours: "Hours",
    role: "Role",
    actualHours: "Actual hours",
    doneAt: "Done on",
  },
  save: "Save task",
  remove: "Delete",
  removeTitle: (title: string) => `Delete “${title}”?`,
  removeText: "Generating again brings it back while its option counts, without your edits.",

  generate: "Generate tasks",
  again: "Generate again",
  previewTitle: "Preview",
  counted,
  nothing: "The tasks already match the tree.",
  nothingButEdited: (count: number) =>
    `Nothing to update. ${many(count, "task keeps its edits and differs", "tasks keep their edits and differ")} from the tree.`,
  draftHint: "The estimation is a draft: edit it as you like, and generate again.",
  submittedHint: "The status becomes “Tasks generated”.",
  result: "Tasks after this",
  more: (count: number) => `and ${formatCount(count)} more`,
  isNew: "new",
  isChanged: "changed",
  action: "Generate",
  stale: "Someone else changed the estimation. This is the new preview.",
  conflicts: (count: number) =>
    `${many(count, "task was", "tasks were")} edited here and in the tree. Choose which value to keep.`,
  conflictsLeft: (count: number) =>
    `${formatCount(count)} more aren’t shown: your edits are kept. You can change them in the list.`,
  conflictsAfter: "The tasks are generated. In the meantime these were edited too: choose which value to keep.",
  yours: "Here",
  theirs: "Tree",
  none: "nothing",
  decide: "Save choices",
  notDecided: "The tasks are generated, but some choices aren’t saved.",
} as const;
