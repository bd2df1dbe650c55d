import { isNotNull, isNull, sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { SharePermission } from "../../../contract/values/share-permissions.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { teamInvitations, teams } from "../teams/index.ts";

/** Estimations that are shared with the owner of an e-mail address, or with a team. */
export const shares = pgTable(
  "shares",
  {
    id: id().primaryKey(),
    estimationId: id()
      .notNull()
      .references(() => estimations.id, { onDelete: "cascade" }),
    /** The invited address, normalized; null: shared with a team. */
    email: text(),
    teamId: id().references(() => teams.id),
    permission: text().$type<SharePermission>().notNull(),
    /** Who sent the invitation last. */
    sharerId: id()
      .notNull()
      .references(() => users.id),
    /** Who accepted it; null: nobody yet, or a team. */
    userId: id().references(() => users.id),
    createdAt: instant().notNull(),
    /** When the invitation was last sent. */
    sentAt: instant().notNull(),
    acceptedAt: instant(),
    /** When the mail server refused a mail to the address for good, since the invitation was last sent; null: it did not. */
    undeliveredAt: instant(),
    /** When its invitation was mailed within the last day, ascending. */
    mailedAt: instant().array().notNull().default(sql`'{}'::timestamptz[]`),
  },
  (table) => [
    check("shares_with", sql`num_nonnulls(email, team_id) = 1`),
    uniqueIndex("shares_by_estimation").on(table.estimationId, table.email),
    uniqueIndex("shares_by_team").on(table.teamId, table.estimationId).where(isNotNull(table.teamId)),
    index("shares_of_team_in_order").on(table.teamId, table.id).where(isNotNull(table.teamId)),
    index("shares_in_order").on(table.estimationId, table.id),
    index("shares_by_address").on(table.email, table.id),
    uniqueIndex("shares_by_person").on(table.estimationId, table.userId).where(isNotNull(table.userId)),
    // With all that is read of an invitation, so that those of deleted estimations are walked past without their rows.
    index("shares_not_accepted")
      .on(table.email, table.sentAt, table.estimationId, table.id)
      .where(isNull(table.userId)),
  ],
);

/** Mails with invitations of the last day, by the SHA-256 of the address: what bounds how many an address gets. */
export const invitationMails = pgTable(
  "invitation_mails",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    addressHash: bytea().notNull(),
    senderId: id()
      .notNull()
      .references(() => users.id),
    at: instant().notNull(),
  },
  (table) => [
    index("invitation_mails_to_address").on(table.addressHash, table.at),
    index("invitation_mails_by_age").on(table.at),
  ],
);

/** Invitations beyond those limits, which are mailed together. */
export const heldInvitations = pgTable(
  "held_invitations",
  {
    /** Id of the share or of the invitation to a team. */
    id: id().primaryKey(),
    shareId: id().references(() => shares.id, { onDelete: "cascade" }),
    teamInvitationId: id().references(() => teamInvitations.id, { onDelete: "cascade" }),
    addressHash: bytea().notNull(),
    /** When the mail with it is due; it is the same for all that it holds. */
    dueAt: instant().notNull(),
  },
  (table) => [
    index("held_invitations_by_address").on(table.addressHash, table.dueAt),
    index("held_invitations_by_share").on(table.shareId),
    index("held_invitations_by_team_invitation").on(table.teamInvitationId),
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
