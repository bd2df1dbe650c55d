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
    createdAt: instant().notNull(),
  },
  (table) => [
    index("audit_events_by_user").on(table.userId, table.id),
    index("audit_events_by_age").on(table.createdAt),
  ],
);
