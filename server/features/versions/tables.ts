import { sql } from "drizzle-orm";
import {
  boolean,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { ThreadStatus } from "../../../contract/endpoints/threads.ts";
import type { VersionCause } from "../../../contract/endpoints/versions.ts";
import type { Figures } from "../../../domain/tree/hours/distribution.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import { bytea, id, instant, noTexts } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";

/** The contents of versions, each stored once per estimation. */
export const versionSnapshots = pgTable(
  "version_snapshots",
  {
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** SHA-256 of the canonical snapshot under `schema`. */
    contentHash: bytea().notNull(),
    /** The `SNAPSHOT_SCHEMA` that it was written with. */
    schema: smallint().notNull(),
    snapshot: json().$type<Snapshot>().notNull(),
    /** Length of the snapshot as JSON. */
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.estimationId, table.contentHash] })],
);

/** The versions of estimations. They are never changed, except for `label`, and for `hours` when the formula changes. */
export const versions = pgTable(
  "versions",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    /** The thread that it was made in, which may be gone since; null: Main. */
    threadId: text(),
    label: text(),
    authorId: id()
      .notNull()
      .references(() => users.id),
    cause: text().$type<VersionCause>().notNull(),
    parents: text().array().notNull().default(noTexts),
    contentHash: bytea().notNull(),
    /** The roll-up of its content, with its bounds and deviation, in hours rounded to two decimals. */
    hours: json().$type<Figures>().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique("versions_by_number").on(table.estimationId, table.number),
    foreignKey({
      name: "versions_snapshot_fk",
      columns: [table.estimationId, table.contentHash],
      foreignColumns: [versionSnapshots.estimationId, versionSnapshots.contentHash],
    }).onDelete("cascade"),
    // Of one thread in the order in which they were made.
    index("versions_by_thread").on(table.estimationId, sql`coalesce(thread_id, '')`, table.number),
    // One for contents that are removed.
    index("versions_by_content").on(table.estimationId, table.contentHash),
  ],
);

/**
 * Lines of versions. An estimation without versions has no row: its only thread is Main, whose id follows from the
 * estimation's (`thread-store.ts`).
 */
export const threads = pgTable(
  "threads",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    title: text().notNull(),
    /** The version that it began with; null for Main. */
    baseVersionId: text(),
    /** The version that the next one follows; null if there is none. */
    headVersionId: text(),
    status: text().$type<ThreadStatus>().notNull().default("open"),
    /** Whether it is the one that the estimation's content belongs to. */
    current: boolean().notNull().default(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("threads_by_estimation").on(table.estimationId, table.id),
    uniqueIndex("threads_one_current").on(table.estimationId).where(sql`current`),
  ],
);
