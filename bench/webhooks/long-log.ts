import { median } from "../database.ts";
import { type Endpoints, type Stage, setStage } from "./stage.ts";
import { drainBacklog } from "./throughput.ts";

const ENDPOINTS = 20;
const SHORT = 1_000;

/** Deliveries a second with a short and with a long log, medians over the rounds, and the median of the rounds' ratios. */
export interface LongLog {
  readonly short: number;
  readonly long: number;
  readonly ratio: number;
  readonly ratios: readonly number[];
}

/** Drains backlogs on two databases, in turns: one has 1,000 deliveries in its log, the other `rows`. */
export async function benchLongLog(rows: number, amount: number, rounds: number): Promise<LongLog> {
  const stages = [await setStage(), await setStage()];
  try {
    const [short, long] = (await Promise.all(stages.map(furnish))) as [Furnished, Furnished];
    await fill(long, rows);
    const perSecond = { short: [] as number[], long: [] as number[] };
    // The first round is for the compiler and the connections.
    for (let round = 0; round <= rounds; round += 1) {
      await empty(short);
      await fill(short, SHORT);
      for (const [name, { stage, endpoints }] of Object.entries({ short, long })) {
        const { ms } = await drainBacklog(stage, endpoints, amount);
        if (round > 0) perSecond[name as "short" | "long"].push((amount * 1_000) / ms);
      }
    }
    const ratios = perSecond.long.map((value, at) => value / (perSecond.short[at] ?? value));
    return { short: median(perSecond.short), long: median(perSecond.long), ratio: median(ratios), ratios };
  } finally {
    for (const stage of stages) await stage.close();
  }
}

interface Furnished {
  readonly stage: Stage;
  readonly endpoints: Endpoints;
}

async function furnish(stage: Stage): Promise<Furnished> {
  const endpoints = await stage.createEndpoints(ENDPOINTS);
  await stage.startWorker();
  return { stage, endpoints };
}

/** Old deliveries that have ended, one in twenty failed after three attempts, spread over the webhooks. */
async function fill({ stage: { pool }, endpoints: { webhookIds } }: Furnished, rows: number): Promise<void> {
  await pool.query(
    `insert into webhook_events (name, data, created_at)
     select 'estimation.tasks_generated', '{"estimationId":"est_01k6z0c9v3e8rbt5w2yq4nmhxd","taskCount":30}', now() - interval '1 day'
     from generate_series(1, $1::int)`,
    [rows],
  );
  await pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event, status, attempt_count, created_at, completed_at)
     select 'wd_' || lpad(n::text, 26, '0'), ($2::text[])[1 + n % $3::int], n, 'estimation.tasks_generated',
       case when n % 20 = 0 then 'failed' else 'delivered' end, case when n % 20 = 0 then 3 else 1 end,
       now() - interval '1 day', now() - interval '1 day'
     from generate_series(1, $1::int) n`,
    [rows, webhookIds, webhookIds.length],
  );
  await pool.query(
    `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_headers, response_body, error)
     select d.id, number, now() - interval '1 day', 12, case d.status when 'failed' then 500 else 200 end,
       '{"date":"Sat, 21 Nov 2026 03:00:00 GMT","connection":"keep-alive"}', 'ok', case d.status when 'failed' then 'status' end
     from webhook_deliveries d, generate_series(1, d.attempt_count) number where d.id < 'wd_00001'`,
  );
  for (const table of ["webhook_events", "webhook_deliveries", "webhook_attempts"])
    await pool.query(`vacuum (analyze) ${table}`);
}

async function empty({ stage: { pool } }: Furnished): Promise<void> {
  await pool.query("truncate webhook_events, webhook_deliveries, webhook_attempts");
}
