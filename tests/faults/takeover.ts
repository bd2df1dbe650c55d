import { FIRST_SLOTS } from "./peaks.ts";
import { ENDPOINTS, OPEN, type Stage } from "./stage.ts";
import type { UnderWay } from "./under-way.ts";
import { until } from "./until.ts";
import type { WorkerProcess } from "./worker-process.ts";

export interface Takeover {
  /** Requests of the worker that were waiting for answers when it was stopped. */
  readonly held: number;
  /** Time from then until everything was delivered. */
  readonly ms: number;
  readonly victim: WorkerProcess;
  /** The worker that was running and took over. */
  readonly survivor: WorkerProcess;
}

/** Kills or pauses a worker that waits for answers, beside another one. */
export async function takeOver(
  stage: Stage,
  underWay: UnderWay,
  { signal, count }: { signal: "SIGKILL" | "SIGSTOP"; count: number },
): Promise<Takeover> {
  const { receipts } = stage;
  const [victim, survivor] = [stage.worker(), stage.worker()];
  receipts.hold();
  await stage.emit(count);
  await victim.start();
  // Then it has no free slot at any endpoint, so all further requests are the other's.
  await until("its slots are taken", () => receipts.heldIds().length === ENDPOINTS * FIRST_SLOTS);
  receipts.answer();
  await survivor.start();
  const held = receipts.heldIds();
  underWay.noteOnly(held);
  const begin = performance.now();
  victim.process.kill(signal);
  await until("another worker has done the work", async () => (await stage.count(OPEN)) === 0, receipts.requests);
  return { held: held.length, ms: performance.now() - begin, victim, survivor };
}

/** Resumes a paused worker, whose requests then fail; returns whether that changed anything stored. */
export async function resume({ pool, count, receipts }: Stage, paused: WorkerProcess): Promise<boolean> {
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
  // Its own requests have failed by now; it has noticed that it was replaced, and goes on under another id.
  await until(
    "the paused worker is back",
    async () => (await count("select count(*) from worker_pools where seen_at > now() - interval '4 s'")) === 2,
  );
  return (await fingerprint()) !== before;
}
