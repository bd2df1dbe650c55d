import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { type MailKind, requestMailsFrom } from "../../jobs/mail-store.ts";
import { apiKeys } from "./tables.ts";

/** What a mail about a key that expires is written from. */
export interface ExpiringKey {
  readonly userId: string;
  readonly apiKeyId: string;
}

const days: SQL = sql.raw(`interval '${limits.keyExpiryNoticeDays} days'`);

/**
 * Requests a mail for each of up to `rows` keys that will soon expire, once for each key, and returns how many. A key that was
 * made for no longer than that gets none: its owner knows.
 */
export async function requestExpiryMails(
  db: Queryable,
  kind: MailKind<ExpiringKey>,
  now: Date,
  rows: number,
): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows: counts } = await db.execute<{ count: number }>(sql`
    with due as (
      select id from ${apiKeys}
      where revoked_at is null and expiry_mailed_at is null and expires_at > ${at} and expires_at <= ${at} + ${days}
        and expires_at - created_at > ${days}
      order by expires_at limit ${rows} for update skip locked
    ),
    noted as (
      update ${apiKeys} k set expiry_mailed_at = ${at} from due where k.id = due.id returning k.id, k.user_id
    ),
    ${requestMailsFrom(
      kind,
      sql`select json_build_object('userId', user_id, 'apiKeyId', id) as facts, ${now.toISOString()}::text as asked_at,
            'expiry of ' || id as cause from noted`,
    )}
    select count(*)::int as count from noted, mails`);
  return counts[0]?.count ?? 0;
}
