import type { GenerationSummary, Task } from "../../contract/tasks.ts";
import { formatCount, many } from "./ui/format.ts";

// Loaded with the pages that show them: `texts.ts` is part of what every page loads.

const tasks = (count: number) => many(count, "task", "tasks");

type Counted = Exclude<keyof GenerationSummary, "conflicts">;

/** What a generation does, by count. */
const counted: Readonly<Record<Counted, (count: number) => string>> = {
  created: (count) => `${tasks(count)} new`,
  updated: (count) => `${tasks(count)} changed`,
  removed: (count) => `${tasks(count)} removed, which no longer count and nobody has worked on`,
  obsolete: (count) => `${tasks(count)} obsolete: no longer counted, and kept because people have put work into them`,
  unchanged: (count) => `${tasks(count)} unchanged`,
};

const trackers: Readonly<Record<NonNullable<Task["externalRef"]>["target"], string>> = {
  github: "GitHub",
  jira: "Jira",
};

/** The texts of the page of an estimation's tasks. */
export const taskTexts = {
  title: (title: string) => `Tasks of ${title}`,
  list: "Tasks",
  trackers,
  statusFilter: "Which tasks",
  statuses: { all: "All", open: "Open", obsolete: "Obsolete" },
  noneOfStatus: "There is no such task.",
  emptyTitle: "No tasks yet",
  empty: "They are generated from the tree: one for each option that counts, with its expected hours.",
  emptyForReaders: "Its owner or an editor can generate them from the tree.",
  columns: {
    done: "Done",
    title: "Task",
    role: "Role",
    hours: "Hours",
    hoursHint: "Expected hours; they add up to the expected hours of the estimation",
    actual: "Actual",
    actualHint: "Hours that it took",
    issue: "Issue",
    actions: "Actions",
  },
  doneOf: (title: string) => `${title} is done`,
  actualOf: (title: string) => `Actual hours of ${title}`,
  menu: (title: string) => `Actions for ${title}`,
  obsolete: "obsolete",
  obsoleteHint: "Its option no longer counts, but people have put work into it",
  edited: "edited",
  editedHint: "It differs from what the tree says, and stays so when tasks are generated again",
  doneAt: "Done",
  unreadableHours: "Write hours such as 7.5",

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
  removeText: "Generating again brings it back as long as its option counts, without what was written here.",

  generate: "Generate tasks",
  again: "Generate again",
  previewTitle: "What generating does",
  counted,
  nothing: "The tasks already match the tree.",
  draftHint: "The estimation is a draft: change it as you like, and generate again.",
  submittedHint: "The estimation then has the state “Tasks generated”.",
  result: "Tasks afterwards",
  more: (count: number) => `and ${formatCount(count)} more`,
  isNew: "new",
  isChanged: "changed",
  action: "Generate",
  stale: "Somebody else changed the estimation meanwhile. This is the new preview.",
  conflicts: (count: number) =>
    `${many(count, "task was", "tasks were")} changed here, and in the tree since: choose which to keep.`,
  conflictsLeft: (count: number) =>
    `${formatCount(count)} more are not shown: what was written here is kept. You can change it in the list.`,
  conflictsAfter: "The tasks are generated. Meanwhile these were changed as well: choose which to keep.",
  yours: "Here",
  theirs: "Tree",
  none: "nothing",
  decide: "Save the choices",
  notDecided: "The tasks are generated, but not all choices are saved.",
} as const;
