import { sql } from "drizzle-orm";
import { boolean, index, integer, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { ExportItem, ExportKind, ExportStatus, ItemOutcome } from "../../../contract/endpoints/exports.ts";
import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import type { ItemStage } from "../../../domain/exports/next-step.ts";
import type { Paced } from "../../../domain/exports/pace.ts";
import type { Layout } from "../../../domain/exports/shape.ts";
import { id, instant, noTexts } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { connections } from "../connections/index.ts";
import { estimations } from "../estimations/index.ts";
import type { Prepared } from "./trackers/issues.ts";

/** What a run does at present, in this order. A pull and a dry run prepare nothing. */
export type Phase = "plan" | "prepare" | "items" | "sweep";

/** Runs: exports, dry runs and pulls. */
export const exportRuns = pgTable(
  "export_runs",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    kind: text().$type<ExportKind>().notNull(),
    target: text().$type<ExportTarget>().notNull(),
    /** Tracker and installation that the connection has to lead to, as `addressOf` writes them. */
    address: text().notNull(),
    /** As `destinationOf` writes it; the ledger is organised by destination. Empty until the tracker has named it. */
    destination: text().notNull(),
    /** The project or repository as the user wrote it. */
    project: text().notNull(),
    issueType: text(),
    /** What the first step found out; null: it was not done yet. */
    layout: json().$type<Layout>(),
    /** Not a foreign key: the connection may be deleted. */
    connectionId: id().notNull(),
    userId: id()
      .notNull()
      .references(() => users.id),
    dryRun: boolean().notNull(),
    recreateDeleted: boolean().notNull(),
    retryOf: id(),
    status: text().$type<ExportStatus>().notNull().default("queued"),
    problem: json().$type<TrackerProblem>(),
    phase: text().$type<Phase>().notNull().default("plan"),
    prepared: json().$type<Prepared>(),
    total: integer().notNull().default(0),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    /** A response to a request that creates was lost: fewer issues in each from then on. */
    smallBatches: boolean().notNull().default(false),
    /** When the tracker was last asked whether the destination is still the same. */
    checkedAt: instant(),
    /** Calls in a row without a usable response. */
    faults: integer().notNull().default(0),
    /** When the tracker last gave a usable response, or the run was started or resumed. */
    progressAt: instant().notNull(),
    /** The tracker's time of a response to this run, by its own clock; null: it gave none yet. */
    trackerAt: instant(),
    cancelAsked: boolean().notNull().default(false),
    /** Whether the event was sent: it is sent once, also where the run is resumed. */
    told: boolean().notNull().default(false),
    /** The run of the job that works on a step; null: none does. */
    lease: text(),
    expectedEndAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [
    index("export_runs_by_estimation").on(table.estimationId, table.id),
    uniqueIndex("export_runs_active").on(table.estimationId, table.target).where(sql`status in ('queued', 'running')`),
    index("export_runs_by_connection").on(table.connectionId).where(sql`status in ('queued', 'running')`),
    index("export_runs_by_user").on(table.userId).where(sql`status in ('queued', 'running')`),
    index("export_runs_idle").on(table.updatedAt).where(sql`status in ('queued', 'running')`),
  ],
);

/** The tasks of a run. */
export const exportItems = pgTable(
  "export_items",
  {
    exportId: id()
      .notNull()
      .references(() => exportRuns.id, { onDelete: "cascade" }),
    /** Place in the list, from 0. */
    number: integer().notNull(),
    taskId: id().notNull(),
    level: integer().notNull(),
    /** How many issues its own is below. */
    depth: integer().notNull().default(0),
    /** The task whose issue it is placed below, or that its text links to instead. */
    parentId: id(),
    linkId: id(),
    /** Title of the milestone that it belongs to. */
    milestone: text(),
    stage: text().$type<ItemStage>().notNull().default("start"),
    outcome: text().$type<ItemOutcome>().notNull().default("pending"),
    /** The outcome once it is placed below its parent. */
    result: text().$type<ItemOutcome>(),
    /** How often this run sent it. */
    sends: integer().notNull().default(0),
    /** Names of the fields to update. */
    updates: text().array().notNull().default(noTexts),
    reason: text(),
    url: text(),
    keptFields: text().array().notNull().default(noTexts),
    warnings: json().$type<ExportItem["warnings"]>(),
  },
  (table) => [
    primaryKey({ columns: [table.exportId, table.number] }),
    uniqueIndex("export_items_by_task").on(table.exportId, table.taskId),
    index("export_items_open").on(table.exportId, table.level, table.number).where(sql`outcome = 'pending'`),
  ],
);

/** The pace of the writes by a connection, and who writes at present. */
export const connectionPaces = pgTable("connection_paces", {
  connectionId: id()
    .primaryKey()
    .references(() => connections.id, { onDelete: "cascade" }),
  paced: json().$type<Paced>().notNull(),
  /** The run whose write is under way, and when it is over at the latest. */
  heldBy: id(),
  heldUntil: instant(),
});
