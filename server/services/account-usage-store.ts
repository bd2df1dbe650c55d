import { sql } from "drizzle-orm";
import type { Quota } from "../../contract/errors.ts";
import type { Queryable } from "../db/database.ts";
import { STEP_BYTES } from "../features/estimations/index.ts";

/** Reads how much of each quota a user has used. */
export async function readUsage(db: Queryable, userId: string): Promise<Readonly<Record<Quota, number>>> {
  const { rows } = await db.execute<Record<Quota, number>>(sql`
    select coalesce(u.estimations, 0)::float8 as estimations,
      coalesce(u.tree_steps, 0)::float8 * ${STEP_BYTES}::int as "treeBytes",
      coalesce(u.version_bytes, 0)::float8 as "versionBytes",
      coalesce(u.text_steps, 0)::float8 * ${STEP_BYTES}::int as "textBytes",
      t.templates, t."templateBytes", t."instanceTemplates",
      (select count(*)::int from api_keys where user_id = p.id and revoked_at is null) as "apiKeys",
      (select count(*)::int from webhooks where user_id = p.id and deleted_at is null) as webhooks,
      (select count(*)::int from connections where user_id = p.id) as connections,
      (select count(*)::int from team_members where user_id = p.id) as teams,
      (select count(*)::int from export_runs where user_id = p.id and status in ('queued', 'running')) as exports
    from (select ${userId}::text as id) p
    left join estimation_usage u on u.owner_id = p.id
    cross join lateral (
      select count(*)::int as templates, coalesce(sum(bytes), 0)::float8 as "templateBytes",
        count(*) filter (where visibility = 'instance')::int as "instanceTemplates"
      from templates where owner_id = p.id
    ) t`);
  return rows[0] as Record<Quota, number>;
}
