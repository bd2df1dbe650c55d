import type { Finding } from "./finding.ts";
import type { Stage } from "./stage.ts";
import type { UnderWay } from "./under-way.ts";
import { RETRY_SECONDS } from "./worker.ts";

/** Compares what was committed, what was received and what was stored. */
export async function judge(stage: Stage, underWay: UnderWay): Promise<Finding[]> {
  const { receipts, committed, pool } = stage;
  const numberOf = (body: string): number => JSON.parse(body).taskCount;
  const received = new Set([...receipts.byId.values()].map(({ body }) => numberOf(body)));
  const { rows } = await pool.query<{ id: string; attempt_count: number; interrupted_count: number }>(
    "select id, attempt_count, interrupted_count from webhook_deliveries",
  );
  const attempts = new Map(rows.map((row) => [row.id, row.attempt_count - row.interrupted_count]));
  const interrupted = new Map(rows.map((row) => [row.id, row.interrupted_count]));
  /** Requests of each delivery beyond the stored attempts, and how many of those the faults allow. */
  const repeats = [...receipts.byId].map(([id, { times }]) => ({
    again: Math.max(0, times - (attempts.get(id) ?? 0)),
    excused: underWay.excused(id),
    logged: interrupted.get(id) ?? 0,
  }));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return [
    { what: "events committed", measured: committed.size },
    { what: "events lost", measured: [...committed].filter((number) => !received.has(number)).length, exactly: 0 },
    {
      what: "deliveries recorded as delivered that were not received",
      measured: rows.filter(({ id }) => !receipts.byId.has(id)).length,
      exactly: 0,
    },
    {
      what: "ids received that nobody made",
      measured: [...receipts.byId.keys()].filter((id) => !attempts.has(id)).length,
      exactly: 0,
    },
    {
      what: "deliveries whose body or address changed from one try to the next",
      measured: receipts.changed(),
      exactly: 0,
    },
    {
      what: "requests sent again, of those under way at a fault",
      measured: sum(repeats.map(({ again }) => again)),
      most: sum(repeats.map(({ excused }) => excused)),
    },
    {
      what: "requests sent again of deliveries that were not under way at so many faults",
      measured: sum(repeats.map(({ again, excused }) => Math.max(0, again - excused))),
      exactly: 0,
    },
    {
      what: "requests sent again of which the log does not have the earlier one as interrupted",
      measured: sum(repeats.map(({ again, logged }) => Math.max(0, again - logged))),
    },
    {
      what: "attempts in the log as interrupted of which no request arrived",
      measured: sum(repeats.map(({ again, logged }) => Math.max(0, logged - again))),
    },
    {
      what: "deliveries that did not end as delivered",
      measured: await stage.count("select count(*) from webhook_deliveries where status <> 'delivered'"),
      exactly: 0,
    },
    {
      what: "deliveries whose attempts are not those that were counted",
      measured: await stage.count(
        `select count(*) from webhook_deliveries d where attempt_count <>
          (select count(*) from webhook_attempts a where a.delivery_id = d.id and a.number <= d.attempt_count)
          or exists (select from webhook_attempts a where a.delivery_id = d.id and a.number > d.attempt_count)`,
      ),
      exactly: 0,
    },
    {
      what: "deliveries that continued after an attempt with a response",
      measured: await stage.count(
        `select count(*) from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
         where a.error is null and (d.status <> 'delivered' or a.number <> d.attempt_count)`,
      ),
      exactly: 0,
    },
    {
      what: "leases, and what is counted as under way, when all is delivered",
      measured: await stage.count(
        `select (select count(*) from webhook_deliveries where lease is not null or lease_is_slow or due_at is not null)
          + (select sum(under_way) from webhook_health) + (select sum(under_way + slow_under_way) from webhook_owners) as count`,
      ),
      exactly: 0,
    },
    {
      what: "attempts made before their time",
      measured: await stage.count(
        `select count(*) from webhook_attempts a join webhook_attempts b on b.delivery_id = a.delivery_id and b.number = a.number + 1
         where a.error <> 'interrupted' and b.started_at < a.started_at + ${RETRY_SECONDS} * interval '1 s'`,
      ),
      exactly: 0,
    },
  ];
}
