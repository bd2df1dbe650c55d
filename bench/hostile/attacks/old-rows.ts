import { setTimeout as wait } from "node:timers/promises";
import type { Attack, Stage } from "../attack.ts";

/** As many as one run of a removal takes away. */
const ROWS = 500_000;
const REMOVALS = ["remove-old-audit-events", "forget-answers"];

async function fill({ pool }: Stage): Promise<void> {
  await pool.query(
    `insert into audit_events (id, event, created_at)
     select 'aud_' || lpad(n::text, 26, '0'), 'session.login_failed', now() - interval '5 years'
     from generate_series(1, $1::int) as n`,
    [ROWS],
  );
  await pool.query(
    `insert into idempotency_keys (user_id, key, fingerprint, status, data, created_at)
     select 'usr_' || lpad((n % 100)::text, 26, '0'), n::text, '\\x00', 200, '{}', now() - interval '1 year'
     from generate_series(1, $1::int) as n`,
    [ROWS],
  );
  await pool.query("vacuum analyze audit_events, idempotency_keys");
}

export const attack: Attack = {
  what: `the removal of ${ROWS} old rows each from the audit log and from the answers kept for replays`,
  prepare: fill,
  async run({ pool, signal }) {
    // Each job removes as much as one run may; the next one goes on. One of a kind runs at a time, as in the service.
    while (!signal.aborted) {
      for (const name of REMOVALS)
        await pool.query(
          `select graphile_worker.add_job($1, job_key => $1) where not exists (
             select from graphile_worker.jobs where task_identifier = $1 and locked_at is not null)`,
          [name],
        );
      await wait(500);
    }
  },
};
