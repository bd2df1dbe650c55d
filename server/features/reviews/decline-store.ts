import { and, eq, lt } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { reviewDeclines } from "./tables.ts";

const DECLINED_MS = limits.declinedReviewDays * 86_400_000;

type Decline = typeof reviewDeclines.$inferSelect;

/** Remembers that a reviewer declined a review of an owner's estimation, and forgets what has ended of that reviewer. */
export async function saveDecline(tx: Queryable, decline: Decline): Promise<void> {
  const { reviewerId, ownerId, declinedAt } = reviewDeclines;
  const ended = new Date(decline.declinedAt.getTime() - DECLINED_MS);
  await tx.delete(reviewDeclines).where(and(eq(reviewerId, decline.reviewerId), lt(declinedAt, ended)));
  await tx
    .insert(reviewDeclines)
    .values(decline)
    .onConflictDoUpdate({ target: [reviewerId, ownerId], set: { declinedAt: decline.declinedAt } });
}

/** Returns when the owner may ask the reviewer again; null: now. */
export async function declinedUntil(
  tx: Queryable,
  { reviewerId, ownerId }: Pick<Decline, "reviewerId" | "ownerId">,
  now: Date,
): Promise<Date | null> {
  const [found] = await tx
    .select({ at: reviewDeclines.declinedAt })
    .from(reviewDeclines)
    .where(and(eq(reviewDeclines.reviewerId, reviewerId), eq(reviewDeclines.ownerId, ownerId)));
  const until = found ? new Date(found.at.getTime() + DECLINED_MS) : null;
  return until && until >= now ? until : null;
}
