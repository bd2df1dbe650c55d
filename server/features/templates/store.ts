import { and, desc, eq, getTableColumns, ilike, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { TemplateTree } from "../../../domain/templates/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { leaveForThread, treeBytesHere } from "../../http/in-thread.ts";
import { users } from "../auth/index.ts";
import { templates } from "./tables.ts";

const { tree: _, bytes: __, ...shownColumns } = getTableColumns(templates);
const columns = { ...shownColumns, ownerName: users.name };

/** A template with its owner's name, without its tree. */
export type TemplateRow = Omit<typeof templates.$inferSelect, "tree" | "bytes"> & { readonly ownerName: string };

const ownerOf = eq(users.id, templates.ownerId);
const isInstance = eq(templates.visibility, sql`'instance'`);
const isSeenBy = (userId: string) => or(eq(templates.ownerId, userId), isInstance);

/** What a list shows. */
interface ListQuery {
  readonly userId: string;
  readonly q?: string | undefined;
  readonly limit: number;
  readonly afterId: string | null;
}

/**
 * Reads at most `limit` templates that a user sees, newest first, after `afterId` if given. The user's own and those of
 * the instance are two ranges of an index each; of both, the first rows are read.
 */
export function listTemplates(db: Queryable, { userId, q, limit, afterId }: ListQuery): Promise<TemplateRow[]> {
  const named = q === undefined ? undefined : ilike(templates.name, `%${q.replace(/[\\%_]/g, "\\$&")}%`);
  const after = afterId === null ? undefined : lt(templates.id, afterId);
  const range = (condition: SQL | undefined) =>
    db
      .select(columns)
      .from(templates)
      .innerJoin(users, ownerOf)
      .where(and(condition, named, after))
      .orderBy(desc(templates.id))
      .limit(limit);
  const others = and(isInstance, ne(templates.ownerId, userId));
  return unionAll(range(eq(templates.ownerId, userId)), range(others))
    .orderBy(desc(templates.id))
    .limit(limit);
}

/** Reads a template that a user sees. */
export async function findTemplate(db: Queryable, id: string, userId: string): Promise<TemplateRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(templates)
    .innerJoin(users, ownerOf)
    .where(and(eq(templates.id, id), isSeenBy(userId)));
  return row;
}

/** The same with its tree. If that is larger than what a request may read here, the request leaves for a thread. */
export async function findTemplateWithTree(
  db: Queryable,
  id: string,
  userId: string,
): Promise<(TemplateRow & { readonly tree: TemplateTree }) | undefined> {
  const tree = Number.isFinite(treeBytesHere)
    ? sql<TemplateTree | null>`case when ${templates.bytes} <= ${treeBytesHere} then ${templates.tree} end`
    : sql<TemplateTree | null>`${templates.tree}`;
  const [row] = await db
    .select({ ...columns, tree })
    .from(templates)
    .innerJoin(users, ownerOf)
    .where(and(eq(templates.id, id), isSeenBy(userId)));
  return row && { ...row, tree: row.tree ?? leaveForThread() };
}

/** Returns how many templates a user has, and how many bytes they take. Locks the user's row: one creates at a time. */
export async function measureTemplates(
  tx: Queryable,
  ownerId: string,
): Promise<{ readonly count: number; readonly bytes: number }> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for("no key update");
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(${templates.bytes}), 0)::float8` })
    .from(templates)
    .where(eq(templates.ownerId, ownerId));
  return row ?? { count: 0, bytes: 0 };
}

/** Stores a template whose tree is given as JSON. */
export async function insertTemplate(
  tx: Queryable,
  { text, ...row }: Omit<typeof templates.$inferInsert, "tree"> & { readonly text: string },
): Promise<void> {
  await tx.insert(templates).values({ ...row, tree: sql`${text}::json` });
}

/** Deletes a template of a user; returns whether there was one. */
export async function removeTemplate(tx: Queryable, id: string, ownerId: string): Promise<boolean> {
  const removed = await tx.delete(templates).where(and(eq(templates.id, id), eq(templates.ownerId, ownerId)));
  return removed.rowCount === 1;
}
