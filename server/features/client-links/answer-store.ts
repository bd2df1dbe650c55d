import { and, asc, count, desc, eq, gt, isNull } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { versions } from "../versions/index.ts";
import { clientAnswers, clientLinks } from "./tables.ts";

export type AnswerRow = typeof clientAnswers.$inferSelect;

/** An answer with the number of the version that it is about. */
export type ShownAnswer = AnswerRow & { readonly versionNumber: number };

const selectAnswers = (db: Queryable) =>
  db
    .select({ answer: clientAnswers, versionNumber: versions.number })
    .from(clientAnswers)
    .innerJoin(versions, eq(versions.id, clientAnswers.versionId));

/** Reads at most `limit` answers to a link, oldest first, after `afterId` if given. */
export async function listAnswers(
  db: Queryable,
  linkId: string,
  limit: number,
  afterId: string | null,
): Promise<ShownAnswer[]> {
  const rows = await selectAnswers(db)
    .where(and(eq(clientAnswers.linkId, linkId), afterId === null ? undefined : gt(clientAnswers.id, afterId)))
    .orderBy(asc(clientAnswers.id))
    .limit(limit);
  return rows.map(({ answer, versionNumber }) => ({ ...answer, versionNumber }));
}

/** Reads the acceptance of a link; undefined if nobody has accepted it. */
export async function findAcceptance(db: Queryable, linkId: string): Promise<AnswerRow | undefined> {
  const [row] = await db
    .select()
    .from(clientAnswers)
    .where(and(eq(clientAnswers.linkId, linkId), eq(clientAnswers.kind, "accepted")));
  return row;
}

/** Returns how many comments a link has. */
export async function countComments(db: Queryable, linkId: string): Promise<number> {
  const [row] = await db
    .select({ comments: count() })
    .from(clientAnswers)
    .where(and(eq(clientAnswers.linkId, linkId), eq(clientAnswers.kind, "comment")));
  return row?.comments ?? 0;
}

/** Returns how many answers an estimation got after `since`, by all of its links. */
export async function countAnswersSince(db: Queryable, estimationId: string, since: Date): Promise<number> {
  const [row] = await db
    .select({ answers: count() })
    .from(clientAnswers)
    .where(and(eq(clientAnswers.estimationId, estimationId), gt(clientAnswers.createdAt, since)));
  return row?.answers ?? 0;
}

export async function insertAnswer(tx: Queryable, row: AnswerRow): Promise<void> {
  await tx.insert(clientAnswers).values(row);
}

/** What a mail about an answer is written from; only of an estimation that is not deleted. */
export interface MailedAnswer {
  readonly answer: AnswerRow;
  readonly estimationTitle: string;
  readonly owner: Pick<typeof users.$inferSelect, "name" | "email" | "emailVerifiedAt">;
}

export async function findMailedAnswer(db: Queryable, id: string): Promise<MailedAnswer | undefined> {
  const owner = { name: users.name, email: users.email, emailVerifiedAt: users.emailVerifiedAt };
  const [row] = await db
    .select({ answer: clientAnswers, estimationTitle: estimations.title, owner })
    .from(clientAnswers)
    .innerJoin(clientLinks, eq(clientLinks.id, clientAnswers.linkId))
    .innerJoin(estimations, and(eq(estimations.id, clientAnswers.estimationId), isNull(estimations.deletedAt)))
    .innerJoin(users, eq(users.id, estimations.ownerId))
    .where(eq(clientAnswers.id, id))
    .orderBy(desc(clientAnswers.id));
  return row;
}
