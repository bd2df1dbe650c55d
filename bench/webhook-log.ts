import { pathToFileURL } from "node:url";
import type pg from "pg";
import { pino } from "pino";
import { type DeliveryStatus, deliveryStatuses } from "../contract/endpoints/webhooks.ts";
import { eventNames } from "../contract/events.ts";
import { createPool, drizzleOver } from "../server/db/database.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { type LogQuery, listDeliveries } from "../server/features/webhooks/delivery-log.ts";
import { benchDatabase, median } from "./database.ts";

/** Medians in milliseconds of reading one page, and how many times as long the long log takes as the short one. */
export interface LogBench {
  readonly page: string;
  readonly shortMs: number;
  readonly longMs: number;
  readonly ratio: number;
  /** The log of a webhook whose last delivery lies 1,000,000 deliveries of others back. */
  readonly silentMs: number;
}

const SHORT = 100;
const LONG = 1_000_000;
const ROUNDS = 200;
const PAGE = 21;

const idAt = (n: number): string => `wd_${String(n).padStart(26, "0")}`;

/** Reads pages of the delivery logs of webhooks with 100 and with 1,000,000 deliveries, in one table. */
export async function benchWebhookLog(rows = LONG): Promise<LogBench[]> {
  const database = await benchDatabase();
  const pool = createPool(database.connection, pino({ level: "silent" }));
  try {
    await migrateDatabase(pool);
    await fill(pool, rows);
    return await measure(pool, rows);
  } finally {
    await pool.end();
    await database.stop();
  }
}

/** Webhooks `silent` and `short` have the same 100 deliveries, before and after those of `long`; one in five has failed. */
async function fill(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(
    "insert into users (id, email, name, created_at) values ('usr_bench', 'bench@example.com', 'Bench', now())",
  );
  for (const id of ["silent", "long", "short"]) {
    await pool.query(
      `insert into webhooks (id, user_id, url, events, description, active, body_format, secret, created_at, updated_at)
       values ($1, 'usr_bench', 'https://hooks.example.com', '{}', '', true, 'data', '', now(), now())`,
      [id],
    );
  }
  const parts: [string, number, number][] = [
    ["silent", 1, SHORT],
    ["long", SHORT + 1, SHORT + rows],
    ["short", SHORT + rows + 1, SHORT + rows + SHORT],
  ];
  for (const [webhook, from, to] of parts) {
    await pool.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event, status, attempt_count, created_at, completed_at)
       select 'wd_' || lpad(n::text, 26, '0'), $1, n, ($2::text[])[1 + n % $3::int],
         case when n % 5 = 0 then 'failed' else 'delivered' end, 1, now(), now()
       from generate_series($4::int, $5::int) n`,
      [webhook, eventNames, eventNames.length, from, to],
    );
  }
  await pool.query(
    `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_headers, response_body)
     select id, 1, now(), 12, 200, '{"content-type":"text/plain"}', 'ok' from webhook_deliveries`,
  );
  await pool.query("vacuum analyze webhook_deliveries, webhook_attempts");
}

async function measure(pool: pg.Pool, rows: number): Promise<LogBench[]> {
  const db = drizzleOver(pool);
  const once = async (query: LogQuery): Promise<number> => {
    const begin = performance.now();
    await listDeliveries(db, query);
    return performance.now() - begin;
  };
  const event = eventNames.slice(0, 1);
  const filters: [string, { event?: typeof event; status?: DeliveryStatus[] }][] = [
    ["all", {}],
    ["one event", { event }],
    ...deliveryStatuses.map((status): [string, { status: DeliveryStatus[] }] => [status, { status: [status] }]),
    ["one event, failed", { event, status: ["failed"] }],
  ];
  const results: LogBench[] = [];
  for (const [name, filter] of filters) {
    for (const deep of [false, true]) {
      const middle = { silent: SHORT / 2, long: SHORT + rows / 2, short: SHORT + rows + SHORT / 2 };
      const afterId = (webhookId: keyof typeof middle) => (deep ? idAt(middle[webhookId]) : null);
      // As many rows of each as the short log has: reading a row costs the same everywhere.
      const shortPage = await listDeliveries(db, {
        ...filter,
        webhookId: "short",
        afterId: afterId("short"),
        limit: PAGE,
      });
      const limit = Math.max(1, shortPage.length);
      const times = { silent: [] as number[], long: [] as number[], short: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        for (const webhookId of ["short", "long", "silent"] as const)
          times[webhookId].push(await once({ ...filter, webhookId, afterId: afterId(webhookId), limit }));
      }
      const [shortMs, longMs, silentMs] = [median(times.short), median(times.long), median(times.silent)];
      results.push({
        page: `${name}, ${deep ? "deep" : "first"} page`,
        shortMs,
        longMs,
        ratio: longMs / shortMs,
        silentMs,
      });
    }
  }
  return results;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const begin = performance.now();
  console.table(await benchWebhookLog(Number(process.argv[2] ?? LONG)));
  console.log(`in ${Math.round((performance.now() - begin) / 1000)} s`);
}
