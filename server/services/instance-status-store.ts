import { sql } from "drizzle-orm";
import type { InstanceStatus } from "../../contract/endpoints/admin.ts";
import type { Queryable } from "../db/database.ts";
import { processNames } from "../db/secret-marks.ts";
import { COUNTED } from "../jobs/job-store.ts";

/** Returns how many migrations the database has. */
export async function countMigrations(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from drizzle.__drizzle_migrations`,
  );
  return rows[0]?.count ?? 0;
}

/** Reads how large the database is, and its tables with their indexes, by name; all of the queue's count as one. */
export async function readSizes(db: Queryable): Promise<InstanceStatus["database"]> {
  const { rows } = await db.execute<{ name: string; bytes: number }>(sql`
    select case when n.nspname = 'public' then c.relname else n.nspname end as name,
      sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker')
    group by 1 order by 1`);
  const { rows: whole } = await db.execute<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return { bytes: whole[0]?.bytes ?? 0, tables: rows };
}

/** Counts, webhook by webhook through an index, the deliveries that failed within the last day. */
export async function countFailedDeliveries(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from webhooks w cross join lateral (
        select from webhook_deliveries d
        where d.webhook_id = w.id and d.status = 'failed' and d.completed_at > now() - interval '1 day' limit ${COUNTED}
      ) failed limit ${COUNTED}) as counted`);
  return rows[0]?.count ?? 0;
}

/** Returns the processes that have connections to the database, by what their connections are named. */
export async function listProcesses(db: Queryable): Promise<InstanceStatus["processes"]> {
  const { rows } = await db.execute<{ name: string; connections: number }>(sql`
    select application_name as name, count(*)::int as connections from pg_stat_activity
    where datname = current_database() and application_name like 'estimation-service %' group by 1 order by 1`);
  return rows.flatMap(({ name, connections }) => {
    const found = processNames.read(name);
    return found ? [{ ...found, connections }] : [];
  });
}
