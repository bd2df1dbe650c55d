import { FIRST_SLOTS } from "./peaks.ts";
import { ENDPOINTS, OPEN, type Stage } from "./stage.ts";
import type { UnderWay } from "./under-way.ts";
import { until } from "./until.ts";
import type { WorkerProcess } from "./worker-process.ts";

export interface Takeover {
  /** Requests of the worker that were waiting for responses when it was stopped. */
  readonly held: number;
  /** Time from then until everything was delivered. */
  readonly ms: number;
  readonly victim: WorkerProcess;
  /** The worker that was running and took over. */
  readonly survivor: WorkerProcess;
}

/** Kills or pauses a worker that waits for responses, beside another one. */
export async function takeOver(
  stage: Stage,
  underWay: UnderWay,
  { signal, count }: { signal: "SIGKILL" | "SIGSTOP"; count: number },
): Promise<Takeover> {
  const { receipts } = stage;
  const [before, victim, survivor] = [stage.worker(), stage.worker(), stage.worker()];
  await before.start();
  await until("all from before is delivered", async () => (await stage.count(OPEN)) === 0, receipts.requests);
  await before.stop();
  receipts.hold();
  // As if nothing had been sent to them yet.
  await stage.pool.query("update webhook_health set slots = $1, last_ms = null", [FIRST_SLOTS]);
  await stage.emit(count);
  await victim.start();
  // Then no endpoint has a slot left, so the other one begins with what expires.
  await until("its slots are taken", () => receipts.heldIds().length === ENDPOINTS * FIRST_SLOTS);
  await survivor.start();
  receipts.respond();
  const held = receipts.heldIds();
  underWay.noteOnly(held);
  const begin = performance.now();
  victim.process.kill(signal);
  await until("another worker has done the work", async () => (await stage.count(OPEN)) === 0, receipts.requests);
  return { held: held.length, ms: performance.now() - begin, victim, survivor };
}

/** Resumes a paused worker, whose requests then fail, and ends it; returns whether that changed anything stored. */
export async function resume({ pool, receipts }: Stage, paused: WorkerProcess): Promise<boolean> {
  const fingerprint = async () => {
    const { rows } = await pool.query<{ print: string }>(
      `select md5(string_agg(d::text || a::text, '' order by d.id, a.number)) as print
       from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id`,
    );
    return rows[0]?.print;
  };
  const before = await fingerprint();
  paused.process.kill("SIGCONT");
  receipts.letGo(500);
  // Its requests have failed. It ends when it has tried to write that.
  await paused.stop();
  return (await fingerprint()) !== before;
}
