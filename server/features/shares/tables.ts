import { isNotNull, isNull, sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { SharePermission } from "../../../contract/share-permissions.ts";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";

/** Estimations that are shared with the owner of an e-mail address. */
export const shares = pgTable(
  "shares",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id),
    /** The invited address, normalized. */
    email: text().notNull(),
    permission: text().$type<SharePermission>().notNull(),
    /** Who sent the invitation last. */
    sharerId: id()
      .notNull()
      .references(() => users.id),
    /** Who accepted it; null: nobody yet. */
    userId: id().references(() => users.id),
    createdAt: instant().notNull(),
    /** When the invitation was last sent. */
    sentAt: instant().notNull(),
    acceptedAt: instant(),
    /** When its invitation was mailed within the last day, ascending. */
    mailedAt: instant().array().notNull().default(sql`'{}'::timestamptz[]`),
  },
  (table) => [
    uniqueIndex("shares_by_estimation").on(table.estimationId, table.email),
    index("shares_in_order").on(table.estimationId, table.id),
    index("shares_by_address").on(table.email, table.id),
    uniqueIndex("shares_by_person").on(table.estimationId, table.userId).where(isNotNull(table.userId)),
    // With all that is read of an invitation, so that those of deleted estimations are walked past without their rows.
    index("shares_not_accepted")
      .on(table.email, table.sentAt, table.estimationId, table.id)
      .where(isNull(table.userId)),
  ],
);

/** When each user had invitations mailed within the last hour: one row per user, which concurrent requests wait for. */
export const sentInvitations = pgTable("sent_invitations", {
  userId: id()
    .primaryKey()
    .references(() => users.id),
  /** Ascending. */
  times: instant().array().notNull(),
});
