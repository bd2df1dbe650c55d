import { and, desc, eq, getTableColumns, inArray, max, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Ancestor } from "../../../domain/merge/ancestors.ts";
import { readSnapshot } from "../../../domain/versions/canonical.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import type { Database, Queryable } from "../../db/database.ts";
import { loadedText, storedText } from "../../db/stored-text.ts";
import { inTurn } from "../../platform/compute.ts";
import { users } from "../auth/index.ts";
import { subtractVersions } from "../estimations/index.ts";
import { versionSnapshots, versions } from "./tables.ts";
import { mainIdOf, type ThreadRow } from "./thread-store.ts";

export type VersionRow = typeof versions.$inferSelect;

/** The schema that the hash of a version's content is of. */
type Schema = Pick<typeof versionSnapshots.$inferSelect, "schema">;

/** A version with its author's name and the hours of its first parent, without its content. */
export type AuthoredVersion = VersionRow & {
  readonly authorName: string;
  /** Null for the first version. */
  readonly parentHours: VersionRow["hours"] | null;
};

const parents = alias(versions, "first_parents");
const columns = { ...getTableColumns(versions), authorName: users.name, parentHours: parents.hours };
const isAuthor = eq(users.id, versions.authorId);
const isParent = sql`${parents.id} = ${versions.parents}[1]`;
const isContent = and(
  eq(versionSnapshots.estimationId, versions.estimationId),
  eq(versionSnapshots.contentHash, versions.contentHash),
);
const ofVersion = (estimationId: string, id: string) =>
  and(eq(versions.estimationId, estimationId), eq(versions.id, id));

/** Returns the version that the next one of a thread follows, if there is one, and the last number in the estimation. */
export async function findHead(
  db: Queryable,
  { estimationId, headVersionId }: Pick<ThreadRow, "estimationId" | "headVersionId">,
): Promise<{ head: (VersionRow & Schema) | undefined; lastNumber: number }> {
  if (headVersionId === null) return { head: undefined, lastNumber: 0 };
  const [head] = await db
    .select({ ...getTableColumns(versions), schema: versionSnapshots.schema })
    .from(versions)
    .innerJoin(versionSnapshots, isContent)
    .where(ofVersion(estimationId, headVersionId));
  const [last] = await db
    .select({ number: max(versions.number) })
    .from(versions)
    .where(eq(versions.estimationId, estimationId));
  return { head, lastNumber: last?.number ?? 0 };
}

/** Returns how many bytes the versions of an estimation take of its owner's quota. */
export async function measureVersions(db: Queryable, estimationId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(${versionSnapshots.bytes}), 0)::float8` })
    .from(versionSnapshots)
    .where(eq(versionSnapshots.estimationId, estimationId));
  return row?.bytes ?? 0;
}

/** A version of this estimation; undefined if it has none with this id. */
export async function findVersion(
  db: Queryable,
  estimationId: string,
  id: string,
): Promise<AuthoredVersion | undefined> {
  const [row] = await db
    .select(columns)
    .from(versions)
    .innerJoin(users, isAuthor)
    .leftJoin(parents, isParent)
    .where(ofVersion(estimationId, id));
  return row;
}

/** A version of this estimation with its content as JSON; undefined if it has none with this id. */
export async function findVersionWithText(
  db: Queryable,
  estimationId: string,
  id: string,
): Promise<(AuthoredVersion & Schema & { readonly text: string }) | undefined> {
  const [row] = await db
    .select({
      ...columns,
      schema: versionSnapshots.schema,
      text: storedText(versionSnapshots.snapshot, versionSnapshots.bytes),
      bytes: versionSnapshots.bytes,
    })
    .from(versions)
    .innerJoin(users, isAuthor)
    .leftJoin(parents, isParent)
    .innerJoin(versionSnapshots, isContent)
    .where(ofVersion(estimationId, id));
  if (!row) return undefined;
  const { bytes, ...version } = row;
  return { ...version, text: loadedText({ ...version, bytes }) as string };
}

/** The same with its content. */
export async function findVersionWithSnapshot(
  db: Queryable,
  estimationId: string,
  id: string,
): Promise<(AuthoredVersion & Schema & { readonly snapshot: Snapshot }) | undefined> {
  const row = await findVersionWithText(db, estimationId, id);
  if (!row) return undefined;
  const { text, ...version } = row;
  return { ...version, snapshot: await inTurn(text.length, () => readSnapshot(text)) };
}

/** Reads every version's number and parents. */
export const findHistory = (db: Queryable, estimationId: string): Promise<Ancestor[]> =>
  db
    .select({ id: versions.id, number: versions.number, parents: versions.parents })
    .from(versions)
    .where(eq(versions.estimationId, estimationId));

/** Which versions of an estimation: those before number `before`, newest first. */
export interface VersionQuery {
  readonly estimationId: string;
  /** Only those that were made in this thread. */
  readonly thread: string | undefined;
  readonly limit: number;
  readonly before: number | null;
}

/** Lists versions without their contents; prepared once per connection. */
export function createVersionList(pool: Database): (query: VersionQuery) => Promise<AuthoredVersion[]> {
  const statement = pool
    .select(columns)
    .from(versions)
    .innerJoin(users, isAuthor)
    .leftJoin(parents, isParent)
    .where(
      and(
        eq(versions.estimationId, sql.placeholder("estimationId")),
        sql`${versions.number} < ${sql.placeholder("before")}::integer`,
        sql`(${sql.placeholder("thread")}::text is null or coalesce(${versions.threadId}, ${sql.placeholder("main")}::text) = ${sql.placeholder("thread")}::text)`,
      ),
    )
    .orderBy(desc(versions.number))
    .limit(sql.placeholder("limit"))
    .prepare("list_versions");
  return ({ estimationId, thread = null, limit, before }) =>
    statement.execute({ estimationId, thread, main: mainIdOf(estimationId), limit, before: before ?? NO_NUMBER });
}

/** The largest integer: above every number. */
const NO_NUMBER = 2 ** 31 - 1;

/** A snapshot as it is stored: `text` is its JSON. */
export interface NewSnapshot {
  readonly estimationId: string;
  readonly contentHash: Uint8Array;
  readonly schema: number;
  readonly text: string;
  readonly bytes: number;
}

/** Stores a snapshot unless the estimation has one with this hash. Returns whether it was stored. */
export async function insertSnapshot(tx: Queryable, { text, ...row }: NewSnapshot): Promise<boolean> {
  const inserted = await tx
    .insert(versionSnapshots)
    .values({ ...row, snapshot: sql`${text}::json` })
    .onConflictDoNothing();
  return inserted.rowCount === 1;
}

export async function insertVersion(tx: Queryable, row: VersionRow): Promise<void> {
  await tx.insert(versions).values(row);
}

/** Stores the name of a version; null: none. */
export async function saveLabel(tx: Queryable, id: string, label: string | null): Promise<void> {
  await tx.update(versions).set({ label }).where(eq(versions.id, id));
}

/** Takes the contents of the versions of estimations that are removed for good off what their owners have. */
export async function freeVersions(tx: Queryable, estimationIds: readonly string[]): Promise<void> {
  const { estimationId, bytes } = versionSnapshots;
  await subtractVersions(
    tx,
    tx
      .select({ estimationId, bytes })
      .from(versionSnapshots)
      .where(inArray(estimationId, [...estimationIds])),
  );
}
