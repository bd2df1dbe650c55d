import type pg from "pg";
import { moveJobs, moveLateJobs } from "./queue-store.ts";

/** How far the clock may be behind what another worker saw at the same time, in milliseconds. */
const TOLERANCE_MS = 10_000;
/**
 * How long after the clock was set back jobs are looked for that were written before and committed, or unlocked, since. No
 * request or job has a transaction for longer: `REQUEST_TIMEOUT` is at most ten minutes.
 */
const LATE_SECONDS = 660;

/**
 * Notes the time of the database's clock. If that clock was ahead and was set back, everything that waits for a time on it
 * would wait for as long again: jobs, and the release of a dead worker's jobs. It is then moved back as well, by one worker.
 * Returns by how many seconds; 0 if the clock was not set back.
 */
export async function followClock(session: pg.Client): Promise<number> {
  const { rows } = await session.query<{ isBack: boolean; mayBeLate: boolean }>(
    `insert into queue_clock as c (id, latest) values (1, now())
     on conflict (id) do update set latest = greatest(c.latest, excluded.latest)
     returning c.latest > now() + $1 * interval '1 millisecond' as "isBack",
       coalesce(c.set_back_at > now() - $2 * interval '1 second', false) as "mayBeLate"`,
    [TOLERANCE_MS, LATE_SECONDS],
  );
  const { isBack = false, mayBeLate = false } = rows[0] ?? {};
  if (mayBeLate && !isBack) await moveLateJobs(session, TOLERANCE_MS);
  if (!isBack) return 0;
  await session.query("begin");
  try {
    const seconds = await setBack(session);
    await session.query("commit");
    return seconds;
  } catch (error) {
    await session.query("rollback").catch(() => {});
    throw error;
  }
}

async function setBack(session: pg.Client): Promise<number> {
  // The others wait here, and then find it done.
  const { rows } = await session.query<{ seconds: number }>(
    `select extract(epoch from latest - now())::float8 as seconds from queue_clock
     where latest > now() + $1 * interval '1 millisecond' for update`,
    [TOLERANCE_MS],
  );
  const seconds = rows[0]?.seconds;
  if (seconds === undefined) return 0;
  await moveJobs(session, seconds);
  await session.query("update worker_pools set seen_at = now() where seen_at > now()");
  await session.query("update queue_clock set latest = now(), set_back_at = now()");
  return seconds;
}
