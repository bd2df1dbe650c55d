import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { MailSetting } from "../../../contract/mails.ts";
import { bytea, instant } from "../../db/columns.ts";

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
