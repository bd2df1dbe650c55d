import type { ExportTarget } from "../../../../contract/endpoints/connections.ts";
import type { ExportKind, ExportStatus, ItemOutcome } from "../../../../contract/endpoints/exports.ts";
import { formatCount } from "../../ui/numbers/format.ts";

const plurals = new Intl.PluralRules("en");
const count = (n: number, one: string, more: string) => `${formatCount(n)} ${plurals.select(n) === "one" ? one : more}`;

const targets: Readonly<Record<ExportTarget, string>> = { github: "GitHub", jira: "Jira" };

const statuses: Readonly<Record<ExportStatus, string>> = {
  queued: "Queued",
  running: "Running",
  completed: "Completed",
  partial: "Partly completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

const outcomes: Readonly<Record<ItemOutcome, string>> = {
  pending: "Pending",
  created: "Issue created",
  updated: "Updated",
  unchanged: "Unchanged",
  kept: "Tracker’s change kept",
  gone: "Issue deleted",
  obsolete: "Open, task obsolete",
  closed: "Closed",
  skipped: "Left out",
  failed: "Failed",
};

const kinds: Readonly<Record<ExportKind, (destination: string) => string>> = {
  export: (destination) => `Export to ${destination}`,
  pull: (destination) => `Update from ${destination}`,
  close: (destination) => `Close issues in ${destination}`,
};

/** The texts about exporting tasks. */
export const exportTexts = {
  targets,
  statuses,
  outcomes,
  start: "Export…",
  command: "Export tasks",
  title: "Export tasks",
  connection: "Connection",
  noConnection: "To export tasks, connect GitHub or Jira first.",
  connect: "Create a connection",
  projects: { github: "Repository", jira: "Project" } satisfies Record<ExportTarget, string>,
  projectHints: { github: "Such as acme/shop", jira: "Its key, such as SHOP" } satisfies Record<ExportTarget, string>,
  issueType: "Issue type (optional)",
  issueTypeHint: "For top-level tasks; tasks below them get the next lower type",
  usualType: "The usual one: Task or Story",
  projectFirst: "Enter the project first",
  notListed: (why: string) => `The types can’t be listed. ${why}`,
  recreate: "Recreate deleted issues",
  dryRun: "Dry run",
  dryRunHint: "Shows what would happen without writing anything",
  action: "Export",
  startAction: "Start",
  runTitle: (kind: ExportKind, destination: string, isDryRun: boolean) =>
    isDryRun ? `Dry run for ${destination}` : kinds[kind](destination),
  /** The topmost type, then those below. */
  issueTypes: (names: readonly string[]) => `as ${names.join(" › ")}`,
  progress: "Progress",
  done: (done: number, total: number) => `${formatCount(done)} of ${count(total, "task", "tasks")}`,
  counted: {
    tasks: (n: number) => count(n, "task", "tasks"),
    created: (n: number, isDryRun: boolean) =>
      `${count(n, "issue", "issues")} ${isDryRun ? "would be created" : "created"}`,
    updated: (n: number, isDryRun: boolean) => `${formatCount(n)} ${isDryRun ? "would be updated" : "updated"}`,
    skipped: (n: number) => `${formatCount(n)} with nothing to do`,
    failed: (n: number) => `${formatCount(n)} failed`,
  },
  ends: "expected to end",
  cancel: "Cancel export",
  resume: "Resume",
  retry: "Retry failed",
  realRun: "Export now",
  pull: "Update from tracker",
  pullHint: "Closed issues mark their tasks as done; hours logged there become actual hours",
  obsolete: (n: number, isMore: boolean) =>
    `${isMore ? "More than " : ""}${count(n, "issue is", "issues are")} still open, although ${n === 1 && !isMore ? "its task is" : "their tasks are"} no longer part of the estimation.`,
  obsoleteTasks: "Issues of obsolete tasks",
  close: (n: number, isMore: boolean) => (isMore ? "Close all of them" : `Close ${count(n, "issue", "issues")}`),
  closeHint: "As not planned, with a comment that names the estimation",
  history: "Earlier exports",
  showHistory: "Show earlier exports",
  hideHistory: "Hide earlier exports",
  noHistory: "This is the first one.",
  historyColumns: { run: "Export", status: "Status", result: "Result", when: "When", tasks: "Tasks" },
  tasksOf: (title: string, when: string) => `Tasks of ${title}, ${when}`,
  kept: (most: number) => `The newest ${formatCount(most)} are kept.`,
  items: "Tasks of this run",
  showItems: "Show tasks",
  hideItems: "Hide tasks",
  onlyFailed: "Only failed",
  columns: { task: "Task", outcome: "Outcome", why: "Details" },
  issue: "Issue",
  issueOf: (title: string) => `Issue of ${title}`,
  unknownTask: "Deleted task",
  keptFields: (fields: readonly string[]) => `Kept: ${fields.join(", ")}`,
} as const;
