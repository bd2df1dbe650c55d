import { sql } from "drizzle-orm";
import { index, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Notification } from "../../../contract/endpoints/notifications.ts";
import type { MailSetting } from "../../../contract/mails.ts";
import type { NotificationKind } from "../../../contract/values/notification-kinds.ts";
import { bytea, id, instant } from "../../db/columns.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";

/** Kinds of mail that the owner of an address has turned off. The owner may have no account. */
export const refusedMails = pgTable(
  "refused_mails",
  {
    /** SHA-256 of the normalized address. */
    addressHash: bytea().notNull(),
    setting: text().$type<MailSetting>().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.addressHash, table.setting] })],
);

/** What people are notified of. It has no texts: they are read when it is shown, as far as its reader may see them then. */
export const notifications = pgTable(
  "notifications",
  {
    id: id().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text().$type<NotificationKind>().notNull(),
    /** Who did it; null: nobody else. */
    actorId: id().references(() => users.id, { onDelete: "set null" }),
    /** Null: it is about none. */
    estimationId: id().references(() => estimations.id, { onDelete: "cascade" }),
    subject: json().$type<Notification["subject"]>().notNull(),
    createdAt: instant().notNull(),
    readAt: instant(),
  },
  (table) => [
    index("notifications_by_user").on(table.userId, table.id),
    index("notifications_unread").on(table.userId).where(sql`read_at is null`),
    index("notifications_by_age").on(table.createdAt),
    index("notifications_by_estimation").on(table.estimationId),
    index("notifications_by_actor").on(table.actorId),
  ],
);
