import { and, asc, eq, gte, inArray, isNotNull, isNull, notExists } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { estimations } from "../estimations/index.ts";
import { shares } from "./tables.ts";

/** An invitation that can be accepted. */
export type Invitation = Pick<typeof shares.$inferSelect, "id" | "estimationId">;

/**
 * Reads at most `limit` invitations to an address that were sent at `since` or later and not accepted, oldest first. Those
 * of deleted estimations, which a user may have made many of, are left out by two indexes alone.
 */
export function findInvitations(db: Queryable, email: string, since: Date, limit: number): Promise<Invitation[]> {
  return db
    .select({ id: shares.id, estimationId: shares.estimationId })
    .from(shares)
    .where(
      and(
        eq(shares.email, email),
        isNull(shares.userId),
        gte(shares.sentAt, since),
        notExists(
          db
            .select({ id: estimations.id })
            .from(estimations)
            .where(and(eq(estimations.id, shares.estimationId), isNotNull(estimations.deletedAt))),
        ),
      ),
    )
    .orderBy(asc(shares.sentAt))
    .limit(limit);
}

/**
 * Marks those of the invitations as accepted that still can be, and returns them. The estimations have to be locked: of
 * two transactions that accept the same one, the second finds it accepted.
 */
export async function markAccepted(
  tx: Queryable,
  shareIds: readonly string[],
  user: { readonly id: string; readonly email: string },
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<(typeof shares.$inferSelect)[]> {
  return tx
    .update(shares)
    .set({ userId: user.id, acceptedAt: now })
    .where(
      and(
        inArray(shares.id, [...shareIds]),
        eq(shares.email, user.email),
        isNull(shares.userId),
        gte(shares.sentAt, since),
      ),
    )
    .returning();
}
