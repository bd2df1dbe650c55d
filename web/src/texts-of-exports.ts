import type { ExportTarget } from "../../contract/connections.ts";
import type { ExportKind, ExportStatus, ItemOutcome } from "../../contract/exports.ts";
import { formatCount } from "./ui/format.ts";

// Loaded with the pages that show them: `texts.ts` is part of what every page loads.

const plurals = new Intl.PluralRules("en");
const count = (n: number, one: string, more: string) => `${formatCount(n)} ${plurals.select(n) === "one" ? one : more}`;

const targets: Readonly<Record<ExportTarget, string>> = { github: "GitHub", jira: "Jira" };

const statuses: Readonly<Record<ExportStatus, string>> = {
  queued: "Waiting",
  running: "Under way",
  completed: "Completed",
  partial: "Completed in part",
  failed: "Failed",
  cancelled: "Cancelled",
};

const outcomes: Readonly<Record<ItemOutcome, string>> = {
  pending: "Not done yet",
  created: "Issue created",
  updated: "Updated",
  unchanged: "Unchanged",
  kept: "Kept as changed there",
  gone: "Issue is gone",
  skipped: "Task is gone",
  failed: "Failed",
};

const kinds: Readonly<Record<ExportKind, (destination: string) => string>> = {
  export: (destination) => `Export to ${destination}`,
  pull: (destination) => `Reading back from ${destination}`,
};

/** The texts about exporting tasks. */
export const exportTexts = {
  targets,
  statuses,
  outcomes,
  start: "Export…",
  title: "Export tasks",
  connection: "Connection",
  noConnection: "To export tasks you need a connection to GitHub or Jira.",
  connect: "Create a connection",
  projects: { github: "Repository", jira: "Project" } satisfies Record<ExportTarget, string>,
  projectHints: { github: "Such as acme/shop", jira: "Its key, such as SHOP" } satisfies Record<ExportTarget, string>,
  issueType: "Type of issue (optional)",
  issueTypeHint: "For tasks that are not below another one, such as Task",
  recreate: "Recreate deleted issues",
  dryRun: "Dry run",
  dryRunHint: "Says what would be done, and writes nothing",
  action: "Export",
  startAction: "Start",
  runTitle: (kind: ExportKind, destination: string, isDryRun: boolean) =>
    isDryRun ? `Dry run for ${destination}` : kinds[kind](destination),
  progress: "Progress",
  done: (done: number, total: number) => `${formatCount(done)} of ${count(total, "task", "tasks")}`,
  counted: {
    created: (n: number, isDryRun: boolean) =>
      `${count(n, "issue", "issues")} ${isDryRun ? "would be created" : "created"}`,
    updated: (n: number, isDryRun: boolean) => `${formatCount(n)} ${isDryRun ? "would be updated" : "updated"}`,
    skipped: (n: number) => `${formatCount(n)} with nothing to do`,
    failed: (n: number) => `${formatCount(n)} failed`,
  },
  ends: "expected to end",
  cancel: "Cancel the export",
  resume: "Resume",
  retry: "Retry the failed",
  realRun: "Export now",
  pull: "Read back what is done",
  pullHint: "Closed issues mark their tasks as done; hours that were logged there become actual hours",
  items: "Each task",
  showItems: "Show each task",
  hideItems: "Hide each task",
  onlyFailed: "Only those that failed",
  columns: { task: "Task", outcome: "Outcome", why: "Why" },
  issue: "Issue",
  issueOf: (title: string) => `Issue of ${title}`,
  unknownTask: "A task that is gone",
  keptFields: (fields: readonly string[]) => `Kept: ${fields.join(", ")}`,
} as const;
