import type pg from "pg";
import { readDeferred, readTables } from "../../server/db/backup/catalog.ts";

/** Tables with rows of an estimation: those that refer to it, directly or through others. */
const OF_ESTIMATIONS = `
  with recursive below as (
    select 'public.estimations'::regclass::oid as id
    union select k.conrelid from pg_constraint k join below on below.id = k.confrelid where k.contype = 'f'
  ) select relname as name from below join pg_class on pg_class.oid = below.id`;

/** The part of an id that tells the time, of this many characters: the same in all that were made at one time. */
const TIME_CHARACTERS = 10;

/** Replaced by other text in each copy: what is always the same would be compressed to nothing. */
export const OTHER_WORDS = "OTHER-WORDS";

/**
 * Copies everything that belongs to the only estimation of a database `count` times, with ids of their own. All of it was
 * made at one time of a clock that stood still, and the users at another. `webhookId` gets a delivered event for each.
 */
export async function copyEstimation(
  pool: pg.Pool,
  { estimationId, webhookId, count }: { estimationId: string; webhookId: string; count: number },
): Promise<void> {
  const client = await pool.connect();
  try {
    const names = (await client.query<{ name: string }>(OF_ESTIMATIONS)).rows.map(({ name }) => name);
    const tables = (await readTables(client)).filter(({ name }) => names.includes(name));
    // An index is made much sooner than filled row by row, and the copies refer to each other as the original does.
    await client.query("begin; set local session_replication_role = replica");
    const deferred = (await readDeferred(client)).filter(({ make }) => make.startsWith("CREATE INDEX"));
    for (const { drop } of deferred) await client.query(drop);
    const [, prefix = ""] = /_([0-9a-z]{10})/.exec(estimationId) ?? [];
    for (const { name, columns } of tables) {
      const list = columns.map((column) => `"${column}"`).join(", ");
      await client.query(
        `insert into "${name}" (${list}) overriding system value
         select ${columns.map((column) => `(copy)."${column}"`).join(", ")}
         from (select replace(replace(t::text, '_${prefix}', '_' || lpad(n::text, ${TIME_CHARACTERS}, '0')), '${OTHER_WORDS}', md5(n::text) || md5('-' || n))::"${name}" as copy
           from generate_series(1, ${count}) n, (select * from "${name}" offset 0) t offset 0) copies`,
      );
    }
    await client.query(
      `with events as (
         insert into webhook_events (name, data, created_at)
         select 'estimation.tasks_generated', format('{"estimationId":"%s","taskCount":3}', e.id), e.created_at
         from estimations e returning id, created_at
       ), deliveries as (
         insert into webhook_deliveries (id, webhook_id, event_id, event, status, attempt_count, created_at, completed_at)
         select 'dlv_' || lpad(id::text, 26, '0'), $1, id, 'estimation.tasks_generated', 'delivered', 1, created_at, created_at
         from events returning id, created_at
       ) insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_headers, response_body)
       select id, 1, created_at, 12, 200, '{"content-type":"text/plain"}', 'ok' from deliveries`,
      [webhookId],
    );
    for (const { make } of deferred) await client.query(make);
    await client.query("commit");
    await client.query("analyze");
  } finally {
    client.release(true);
  }
}
