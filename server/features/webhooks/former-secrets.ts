import { and, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { findWebhook, type WebhookRow } from "./store.ts";
import { webhookFormerSecrets, webhooks } from "./tables.ts";

/** A replaced secret, sealed, and the last instant at which it signs. */
export interface FormerSecret {
  readonly secret: Uint8Array;
  readonly validUntil: Date;
}

/**
 * Gives a webhook a new sealed secret, within the transaction `db`; the old one still signs beside it for a while. If
 * several were replaced within that time, the newest are retained. Returns undefined if the user has no such webhook.
 */
export async function replaceSecret(
  db: Queryable,
  { userId, id, secret, now }: { userId: string; id: string; secret: Uint8Array; now: Date },
): Promise<WebhookRow | undefined> {
  const former = await findWebhook(db, userId, id, { forUpdate: true });
  if (!former) return undefined;
  const validUntil = new Date(now.getTime() + limits.webhookFormerSecretHours * 3_600_000);
  await db.insert(webhookFormerSecrets).values({ webhookId: id, secret: former.secret, validUntil });
  await db.execute(sql`
    delete from ${webhookFormerSecrets} where webhook_id = ${id} and id not in (
      select id from ${webhookFormerSecrets} where webhook_id = ${id} order by id desc limit ${limits.webhookFormerSecrets})`);
  const [row] = await db.update(webhooks).set({ secret, updatedAt: now }).where(eq(webhooks.id, id)).returning();
  return row;
}

/** Removes all replaced secrets of a webhook. */
export async function forgetFormerSecrets(db: Queryable, webhookId: string): Promise<void> {
  await db.delete(webhookFormerSecrets).where(eq(webhookFormerSecrets.webhookId, webhookId));
}

/** Removes up to `rows` secrets that no longer sign at `now`; returns how many. */
export async function forgetExpiredSecrets(db: Queryable, now: Date, rows: number): Promise<number> {
  const { id, validUntil } = webhookFormerSecrets;
  const expired = db.select({ id }).from(webhookFormerSecrets).where(lt(validUntil, now)).limit(rows);
  return (await db.delete(webhookFormerSecrets).where(inArray(id, expired))).rowCount ?? 0;
}

/** Reads the replaced secrets of a webhook that still sign at `now`, the newest first. */
export async function listFormerSecrets(db: Queryable, id: string, now: Date): Promise<Uint8Array[]> {
  const { webhookId, secret, validUntil } = webhookFormerSecrets;
  const rows = await db
    .select({ secret })
    .from(webhookFormerSecrets)
    .where(and(eq(webhookId, id), gte(validUntil, now)))
    .orderBy(desc(webhookFormerSecrets.id));
  return rows.map((row) => row.secret);
}

/** Returns an SQL expression: the former secrets of a webhook, the newest first, for `readFormerSecrets`. */
export const formerSecretsOf = (webhookId: SQL): SQL => sql`(
  select json_agg(json_build_object('secret', encode(f.secret, 'base64'), 'validUntil', f.valid_until) order by f.id desc)
  from ${webhookFormerSecrets} f where f.webhook_id = ${webhookId})`;

export const readFormerSecrets = (selected: unknown): FormerSecret[] =>
  ((selected ?? []) as { secret: string; validUntil: string }[]).map(({ secret, validUntil }) => ({
    secret: Buffer.from(secret, "base64"),
    validUntil: new Date(validUntil),
  }));
