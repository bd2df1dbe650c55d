import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { AnyOf, component, Id, NextCursor, Nullable, OneOf, OrNull, paging, Shape, Timestamp } from "../shapes.ts";
import { TrackerProblem } from "../values/tracker-problems.ts";
import { type ExportTarget, exportTargets, IssueTypeName, ProjectKey, Repository } from "./connections.ts";

export const exportStatuses = ["queued", "running", "completed", "partial", "failed", "cancelled"] as const;
export type ExportStatus = (typeof exportStatuses)[number];

export const exportKinds = ["export", "pull", "close"] as const;
export type ExportKind = (typeof exportKinds)[number];

const outcomes = {
  pending: "not done yet",
  created: "an issue was made, or would be in a dry run",
  updated: "the issue was changed; in a pull, the task was",
  unchanged: "there was nothing to send; `keptFields` may name fields that people have changed in the tracker",
  kept: "changes were not applied: `keptFields` names fields that people have changed on the other side",
  gone: "the issue was deleted at the tracker, moved away, or turned into a pull request; `reason` says which",
  obsolete: "the task is obsolete, and its issue is open: close it there, or with `closeObsolete`",
  closed: "the issue was closed",
  skipped: "the task no longer exists, or, where issues are closed, is part of the estimation again",
  failed: "`reason` says why",
} as const;
const itemOutcomes = Object.keys(outcomes) as (keyof typeof outcomes)[];
export type ItemOutcome = keyof typeof outcomes;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Export = component(
  "Export",
  Shape({
    id: Id("export"),
    estimationId: Id("estimation"),
    kind: OneOf<ExportKind>(exportKinds, {
      description:
        "`export`: tasks become issues. `pull`: issues that are closed mark their tasks as done. `close`: issues of obsolete tasks are closed",
    }),
    target: OneOf<ExportTarget>(exportTargets, { description: "The tracker" }),
    repository: Nullable(Repository),
    projectKey: Nullable(ProjectKey),
    issueType: Nullable(IssueTypeName),
    issueTypes: Type.Array(Type.String(), {
      description:
        "Types of Jira's issues that the run uses, by their names in the project: that of the topmost issues first, then that of those below. Empty until the project is known, and for GitHub",
    }),
    connectionId: Id("connection", "Connection that it uses, which belongs to the person who started it"),
    startedBy: Id("user", "Who started it"),
    dryRun: Type.Boolean({ description: "Only reports what an export would do: nothing is written" }),
    recreateDeleted: Type.Boolean({ description: "Creates new issues for those that were deleted in the tracker" }),
    retryOf: Nullable(
      Id("export", "The earlier export whose tasks without an issue it retries, or whose obsolete ones it closes"),
    ),
    status: OneOf<ExportStatus>(exportStatuses, {
      description:
        "`partial`: it ended, and some tasks failed. `failed`: all of them did, or `problem` says what prevents it",
    }),
    problem: OrNull(TrackerProblem.ref),
    resumable: Type.Boolean({
      description: "Whether it can be resumed: it was cancelled, or ended before its tasks were done",
    }),
    progress: Shape(
      {
        total: count("Tasks of the run; 0 until they are counted"),
        created: count("Issues made"),
        updated: count("Issues updated or closed; of a pull, tasks"),
        skipped: count("Tasks for which there was nothing to do"),
        failed: count("Tasks that failed"),
      },
      { description: "Processed tasks by outcome" },
    ),
    expectedEndAt: Nullable(
      Type.String({
        ...Timestamp,
        description: "Estimated end, from the pace of writes; null: not known, or it has ended",
      }),
    ),
    createdAt: Timestamp,
    endedAt: Nullable(Timestamp),
  }),
);
export type Export = Static<typeof Export.schema>;

export const ExportItem = component(
  "ExportItem",
  Shape({
    taskId: Id("task"),
    outcome: OneOf<ItemOutcome>(itemOutcomes, {
      description: Object.entries(outcomes)
        .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
        .join("; "),
    }),
    reason: Nullable(
      Type.String({
        description:
          "Why, in words; what the tracker says is quoted, and left out for everybody but the owner of the connection",
      }),
    ),
    url: Nullable(Type.String({ description: "Page of the issue" })),
    keptFields: Type.Array(Type.String(), {
      description: "Fields that people have changed in the tracker (in a pull: here), which therefore stay",
    }),
    warnings: Type.Array(
      Shape({
        code: Type.String({ description: "Such as `title_cut`, `too_deep` or `twin`" }),
        message: Type.String({ description: "What did not fit, and how it was handled" }),
      }),
      { description: "What did not fit into an issue unchanged" },
    ),
  }),
);
export type ExportItem = Static<typeof ExportItem.schema>;

const one = Shape({ export: Export.ref });
const started = { status: 202, data: one } as const;
const access = "tasks:export";

export const exports = endpoints({
  exportTasks: {
    method: "POST",
    path: "/api/estimations/:id/tasks/export",
    tool: {
      only: {
        send: { dryRun: true },
        description:
          "Show what an export of the open tasks to a tracker would do, without changing anything there. It runs in the background: read it with get_export until `endedAt` is set, then its tasks with list_export_items",
      },
    },
    summary: "Export the open tasks as issues of a tracker, in the background",
    description:
      "Exporting again never makes a second issue for a task: an existing issue is compared with its task, and fields that changed only here are updated. An estimation in the state `tasks_generated` becomes `exported` when all its tasks have issues.",
    access,
    right: "edit",
    body: Shape({
      target: OneOf<ExportTarget>(exportTargets, { description: "The tracker" }),
      connectionId: Type.String({ description: "One of your own connections to it" }),
      repository: Type.Optional({ ...Repository, description: "For GitHub, and required there" }),
      projectKey: Type.Optional({ ...ProjectKey, description: "For Jira, and required there" }),
      issueType: Type.Optional(IssueTypeName),
      dryRun: Type.Optional(Type.Boolean({ description: "Only report what would be done" })),
      recreateDeleted: Type.Optional(
        Type.Boolean({
          description:
            "Create new issues for those that were deleted there. Jira does not distinguish deleted issues from those that the token's user may not see, and gets a second issue for the latter too.",
        }),
      ),
      retryOf: Type.Optional(Type.String({ description: "Only the tasks of this earlier export that got no issue" })),
    }),
    response: started,
    errors: ["export_in_progress", "tasks_missing", "limit_reached"],
    events: ["estimation.exported"],
    ifMatch: true,
    activity: "tasks.exported",
  },
  listExports: {
    method: "GET",
    path: "/api/estimations/:id/exports",
    summary: "List the exports of an estimation, newest first",
    access,
    right: "read",
    query: Shape({
      status: AnyOf(
        OneOf<ExportStatus>(exportStatuses),
        exportStatuses.length,
        "Only those with one of these statuses",
      ),
      ...paging(limits.pageSizeInside),
    }),
    response: { status: 200, data: Shape({ exports: Type.Array(Export.ref), nextCursor: NextCursor }) },
  },
  getExport: {
    method: "GET",
    path: "/api/estimations/:id/exports/:exportId",
    tool: {},
    summary: "Read an export and its progress",
    access,
    right: "read",
    response: { status: 200, data: one },
  },
  listExportItems: {
    method: "GET",
    path: "/api/estimations/:id/exports/:exportId/items",
    tool: {},
    summary: "List the outcome of each task of an export, in the order of the tasks",
    access,
    right: "read",
    query: Shape({
      outcome: AnyOf(OneOf<ItemOutcome>(itemOutcomes), itemOutcomes.length, "Only those with one of these outcomes"),
      ...paging(limits.pageSizeInside),
    }),
    response: { status: 200, data: Shape({ items: Type.Array(ExportItem.ref), nextCursor: NextCursor }) },
  },
  watchExport: {
    method: "GET",
    path: "/api/estimations/:id/exports/:exportId/progress",
    summary: "Watch the progress of an export",
    description:
      "The first event is the present state of the export; each change sends another, until the export has ended. Read it with a client that can send the `Authorization` header.",
    access,
    right: "read",
    response: { status: 200, stream: Export.ref },
  },
  cancelExport: {
    method: "POST",
    path: "/api/estimations/:id/exports/:exportId/cancel",
    summary: "Cancel an export after the request that is under way; issues that exist stay",
    access,
    right: "edit",
    response: started,
    errors: ["export_ended"],
    ifMatch: true,
    activity: "export.cancelled",
  },
  resumeExport: {
    method: "POST",
    path: "/api/estimations/:id/exports/:exportId/resume",
    summary: "Resume an export that was cancelled or ended before its tasks were done",
    description: "For example after its connection got a new token. Only the person who started it can resume it.",
    access,
    right: "edit",
    response: started,
    events: ["estimation.exported"],
    errors: ["export_in_progress", "export_not_resumable", "limit_reached"],
    ifMatch: true,
    activity: "export.resumed",
  },
  pullExport: {
    method: "POST",
    path: "/api/estimations/:id/exports/:exportId/pull",
    summary: "Read back what is done, from the issues of an export's repository or project",
    description:
      "A closed issue sets `doneAt` of its task, or `droppedAt` if it was closed although the work was not done, and a reopened one clears them. Actual hours come from a label or a comment at GitHub, and from work logs at Jira.",
    access,
    right: "edit",
    bodyOptional: true,
    body: Shape({
      connectionId: Type.Optional(
        Type.String({ description: "One of your own connections; by default that of the export, if it is yours" }),
      ),
    }),
    response: started,
    errors: ["export_in_progress", "limit_reached"],
    ifMatch: true,
    activity: "tasks.read_back",
  },
  closeObsolete: {
    method: "POST",
    path: "/api/estimations/:id/exports/:exportId/close-obsolete",
    summary: "Close the issues that an export lists as obsolete, in the background",
    description:
      "Each of them is closed as not planned, with a comment that names the estimation, if its task is still obsolete and nobody has closed it meanwhile: repeating it closes nothing twice. In Jira a transition to a status of the category Done is used that needs no further input. The export may be a dry run. It ends with an outcome for each issue, like an export.",
    access,
    right: "edit",
    bodyOptional: true,
    body: Shape({
      connectionId: Type.Optional(
        Type.String({ description: "One of your own connections; by default that of the export, if it is yours" }),
      ),
    }),
    response: started,
    errors: ["export_in_progress", "limit_reached"],
    ifMatch: true,
    activity: "issues.closed",
  },
});
