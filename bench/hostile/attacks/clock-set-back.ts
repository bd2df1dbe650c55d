import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Attack, Stage } from "../attack.ts";

const DAYS = 3;
/** No sign-in waits longer. */
const LONGEST_SECONDS = 3_600;
/** What retries, periodic jobs and removals wait for at most is hours. */
const LATEST_JOB_HOURS = 24;
/** Workers look at the clock every few seconds. */
const NOTICED_MS = 10_000;

let longestSeconds = 0;
let isRefused = false;

/** Makes what is counted, and what waits, as if it had been written while the database's clock was ahead. */
async function putAhead({ pool }: Stage): Promise<void> {
  const ahead = `interval '${DAYS} days'`;
  await pool.query(
    `update try_counts set resets_at = resets_at + ${ahead} where resets_at < now() + interval '2 hours'`,
  );
}

async function putQueueAhead({ pool }: Stage): Promise<void> {
  const ahead = `interval '${DAYS} days'`;
  await pool.query(`update graphile_worker._private_jobs set run_at = run_at + ${ahead} where locked_at is null`);
  await pool.query(`update queue_clock set latest = now() + ${ahead}`);
}

export const attack: Attack = {
  what: `failed sign-ins and waiting jobs from before the clock, ${DAYS} days ahead, was set back`,
  seconds: 12,
  async run(stage) {
    const { send, signal } = stage;
    await putQueueAhead(stage);
    while (!signal.aborted) {
      const email = `${randomUUID()}@example.com`;
      const from = `127.0.1.${1 + Math.floor(Math.random() * 250)}`;
      const fail = () => send("POST", "/api/auth/login", { body: { email, password: "wrong" }, from });
      for (let tries = 0; tries < 25; tries += 1) await fail();
      await putAhead(stage);
      const { status, headers } = await fail();
      isRefused ||= status === 429;
      longestSeconds = Math.max(longestSeconds, Number(headers["retry-after"] ?? 0));
    }
  },
  async find({ pool }) {
    await wait(NOTICED_MS);
    const { rows } = await pool.query<{ late: number; all: number }>(
      `select count(*)::int as all, count(*) filter (where run_at > now() + interval '${LATEST_JOB_HOURS} hours')::int as late
       from graphile_worker._private_jobs`,
    );
    const { late = 0, all = 0 } = rows[0] ?? {};
    return [
      {
        line: `the longest wait for a sign-in was ${longestSeconds} s (at most ${LONGEST_SECONDS} s are promised)`,
        ok: isRefused && longestSeconds <= LONGEST_SECONDS,
      },
      {
        line: `${late} of ${all} jobs still wait for the time to which the clock was ahead`,
        ok: late === 0 && all > 0,
      },
    ];
  },
};
