import { and, count, desc, eq, getTableColumns, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { versions } from "../versions/index.ts";
import { clientLinks } from "./tables.ts";

type Stored = typeof clientLinks.$inferSelect;

/** A link without what its page shows, which may be long, and with what is shown with it. */
export type LinkRow = Omit<Stored, "published" | "tokenHash"> & {
  readonly versionNumber: number;
  readonly creatorName: string;
};

const { published: _, tokenHash: __, ...columns } = getTableColumns(clientLinks);

const selectLinks = (db: Queryable, ...conditions: (SQL | undefined)[]) =>
  db
    .select({ ...columns, versionNumber: versions.number, creatorName: users.name })
    .from(clientLinks)
    .innerJoin(versions, eq(versions.id, clientLinks.versionId))
    .innerJoin(users, eq(users.id, clientLinks.creatorId))
    .where(and(...conditions))
    .orderBy(desc(clientLinks.id));

const ofEstimation = (estimationId: string) => eq(clientLinks.estimationId, estimationId);

/** Reads a link of an estimation; undefined if it has none with this id. */
export async function findLink(db: Queryable, estimationId: string, id: string): Promise<LinkRow | undefined> {
  const [row] = await selectLinks(db, ofEstimation(estimationId), eq(clientLinks.id, id));
  return row;
}

/** Reads at most `limit` links of an estimation, newest first, after `afterId` if given. */
export const listLinks = (
  db: Queryable,
  estimationId: string,
  limit: number,
  afterId: string | null,
): Promise<LinkRow[]> =>
  selectLinks(db, ofEstimation(estimationId), afterId === null ? undefined : lt(clientLinks.id, afterId)).limit(limit);

/** Returns how many links an estimation has, revoked ones included. */
export async function countLinks(db: Queryable, estimationId: string): Promise<number> {
  const [row] = await db.select({ links: count() }).from(clientLinks).where(ofEstimation(estimationId));
  return row?.links ?? 0;
}

/** Reads the links of an estimation that were not revoked. */
export const listStanding = (db: Queryable, estimationId: string): Promise<Pick<Stored, "id" | "shows">[]> =>
  db
    .select({ id: clientLinks.id, shows: clientLinks.shows })
    .from(clientLinks)
    .where(and(ofEstimation(estimationId), isNull(clientLinks.revokedAt)))
    .orderBy(desc(clientLinks.id));

export async function insertLink(tx: Queryable, row: typeof clientLinks.$inferInsert): Promise<void> {
  await tx.insert(clientLinks).values(row);
}

export async function updateLink(tx: Queryable, id: string, changes: Partial<Stored>): Promise<void> {
  await tx.update(clientLinks).set(changes).where(eq(clientLinks.id, id));
}

/** A link with what its page shows. */
export type OpenLink = Omit<Stored, "published"> & { readonly published: string; readonly ownerId: string };

/**
 * Reads the link with the token of this hash. Undefined if there is none, if it was revoked, and while its estimation is
 * deleted.
 */
export async function findByToken(db: Queryable, tokenHash: Uint8Array): Promise<OpenLink | undefined> {
  const [row] = await db
    .select({
      ...getTableColumns(clientLinks),
      published: sql<string>`${clientLinks.published}`.as("published"),
      ownerId: estimations.ownerId,
    })
    .from(clientLinks)
    .innerJoin(estimations, and(eq(estimations.id, clientLinks.estimationId), isNull(estimations.deletedAt)))
    .where(and(eq(clientLinks.tokenHash, tokenHash), isNull(clientLinks.revokedAt)));
  return row;
}
