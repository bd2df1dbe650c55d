import { createHash } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { MailSetting } from "../../../contract/mails.ts";
import type { Queryable } from "../../db/database.ts";
import { refusedMails } from "./tables.ts";

/** Returns the hash under which the settings of a normalized address are stored. */
export const hashOf = (address: string): Uint8Array => createHash("sha256").update(address).digest();

/** Returns the settings that the owner of an address has turned off. */
export async function listRefused(db: Queryable, addressHash: Uint8Array): Promise<MailSetting[]> {
  const rows = await db
    .select({ setting: refusedMails.setting })
    .from(refusedMails)
    .where(eq(refusedMails.addressHash, addressHash));
  return rows.map(({ setting }) => setting);
}

/** Turns settings off for an address; those that are off already stay so. */
export async function refuseMails(
  db: Queryable,
  addressHash: Uint8Array,
  settings: readonly MailSetting[],
  now: Date,
): Promise<void> {
  if (settings.length === 0) return;
  await db
    .insert(refusedMails)
    .values(settings.map((setting) => ({ addressHash, setting, createdAt: now })))
    .onConflictDoNothing();
}

/** Turns settings on for an address. */
export async function acceptMails(
  db: Queryable,
  addressHash: Uint8Array,
  settings: readonly MailSetting[],
): Promise<void> {
  if (settings.length === 0) return;
  await db
    .delete(refusedMails)
    .where(and(eq(refusedMails.addressHash, addressHash), inArray(refusedMails.setting, [...settings])));
}
