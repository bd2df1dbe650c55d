import { boolean, doublePrecision, index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ExportTarget } from "../../../contract/endpoints/connections.ts";
import type { LedgerState } from "../../../domain/exports/ledger.ts";
import { id, instant } from "../../db/columns.ts";
import { estimations } from "../estimations/index.ts";

/**
 * What is known about the issue of each task in each destination. It belongs to the estimation and not to the task: a
 * task that is deleted and comes back finds its issue again.
 */
export const exportLedger = pgTable(
  "export_ledger",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** Tracker, installation, and the tracker's own id of the project or repository: see `destinationOf`. */
    destination: text().notNull(),
    taskId: id().notNull(),
    target: text().$type<ExportTarget>().notNull(),
    state: text().$type<LedgerState>().notNull(),
    /** Finds the issue at the tracker; most of it is random. */
    marker: text().notNull(),
    /** How often it was sent. An outcome names the send that it belongs to. */
    sends: integer().notNull().default(0),
    /** When it was last sent. */
    sentAt: instant(),
    /** The tracker's time before the first send with this marker: no issue with it is older. */
    sinceAt: instant(),
    /** See `LedgerEntry`. */
    lookUps: integer().notNull().default(0),
    lookAt: instant(),
    /** By the tracker's clock. */
    settlesAt: instant(),
    /** Whether the marker was sent more than once, without a look-up of twins since the tracker must show them. */
    unswept: boolean().notNull().default(false),
    /** How the tracker's interface names the issue, what people call it, and its page; null: there is none. */
    ref: text(),
    key: text(),
    url: text(),
    /** While it is `made`: the names of the issues, one of which it is. */
    among: text(),
    /** Fingerprints of the fields as they were last pushed. */
    pushed: json().$type<Record<string, string>>(),
    /** The `ref` of the issue that it was placed below, and of another one below which it could not be placed since. */
    parentRef: text(),
    refusedParentRef: text(),
    /** When it was found gone there; stays while another one is being made in its place. */
    goneAt: instant(),
    /** What the last pull set the task to: when it was done or dropped, and its actual hours. */
    pulledDoneAt: instant(),
    pulledHours: doublePrecision(),
    /** When the issue was last made, found or updated by an export: the latest is what `externalRef` shows. */
    touchedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.estimationId, table.destination, table.taskId] }),
    index("export_ledger_by_task").on(table.estimationId, table.taskId, table.touchedAt),
  ],
);
