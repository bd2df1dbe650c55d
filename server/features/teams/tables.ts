import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { TeamRole } from "../../../contract/values/team-roles.ts";
import { id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";

/** A group of people, with which an estimation is shared as a whole. */
export const teams = pgTable(
  "teams",
  {
    id: id().primaryKey(),
    name: text().notNull(),
    createdAt: instant().notNull(),
    /** When it was deleted: it has no members since, and goes once nothing is shared with it any more. Null: it stands. */
    endedAt: instant(),
  },
  (table) => [index("teams_ended").on(table.id).where(sql`ended_at is not null`)],
);

/** Who belongs to a team now. Whoever leaves has no row, and with it loses what is shared with the team. */
export const teamMembers = pgTable(
  "team_members",
  {
    teamId: id()
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    userId: id()
      .notNull()
      .references(() => users.id),
    role: text().$type<TeamRole>().notNull(),
    joinedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index("team_members_by_user").on(table.userId, table.teamId),
    index("team_members_in_order").on(table.teamId, table.joinedAt, table.userId),
  ],
);

/** Invitations to teams that nobody has accepted yet. */
export const teamInvitations = pgTable(
  "team_invitations",
  {
    id: id().primaryKey(),
    teamId: id()
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    /** The invited address, normalized. */
    email: text().notNull(),
    role: text().$type<TeamRole>().notNull(),
    /** Who sent the invitation last. */
    inviterId: id()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    /** When it was last sent. */
    sentAt: instant().notNull(),
    /** When it was mailed within the last day, ascending. */
    mailedAt: instant().array().notNull().default(sql`'{}'::timestamptz[]`),
  },
  (table) => [
    uniqueIndex("team_invitations_by_team").on(table.teamId, table.email),
    index("team_invitations_in_order").on(table.teamId, table.id),
    index("team_invitations_by_address").on(table.email, table.id),
  ],
);
