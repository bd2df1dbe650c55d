import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import { id, instant } from "../../db/columns.ts";

export const auditEvents = pgTable(
  "audit_events",
  {
    id: id().primaryKey(),
    /**
     * Whose account; null: an attempt to sign in to an account that does not exist. Not a foreign key: the log
     * outlives its users.
     */
    userId: id(),
    event: text().$type<IdentityEvent>().notNull(),
    ip: text(),
    userAgent: text(),
    apiKeyId: id(),
    /** Who did it: an administrator, or an admin of a team; null: the account itself, or the operator on the command line. */
    actorId: id(),
    /** Another account that it is about, such as who got the estimations. */
    otherUserId: id(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("audit_events_by_user").on(table.userId, table.id),
    index("audit_events_by_actor").on(table.actorId, table.id).where(sql`actor_id is not null`),
    index("audit_events_by_event").on(table.event, table.id),
    index("audit_events_by_age").on(table.createdAt),
  ],
);
