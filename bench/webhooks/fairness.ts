/**
 * The effect of nine endpoints that hang for the full timeout on a tenth that is healthy: every event goes to all of
 * them, at a steady pace with a burst now and then. Prints the healthy one's latency from commit to receipt beside its
 * quiet value, and what the hanging ones cost. Arguments: seconds of quiet, seconds beside the hanging ones.
 */
import { setTimeout as wait } from "node:timers/promises";
import { emit } from "../../server/features/webhooks/index.ts";
import type { Seen } from "./receiver.ts";
import { ask, dataOf, EVENT, type Stage, setStage } from "./stage.ts";

const [quietSeconds = 20, besideSeconds = 40] = process.argv.slice(2).map(Number);
const HANGING = 9;
const MOST_RATIO = 1.5;
const MOST_QUIET_MS = 20;
const PAUSE_MS = 50;
const BURST = 50;
const BURST_EVERY = 100;

const nowMs = (): number => performance.timeOrigin + performance.now();
const at = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
let numbers = 0;

interface Measured {
  readonly events: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly seen: Seen;
}

/** Emits for a while and returns the latencies in milliseconds, sorted out by the receiver. */
async function measure({ services, receiver }: Stage, userId: string, seconds: number): Promise<Measured> {
  const committedAt = new Map<number, number>();
  await ask(receiver, {});
  const emitOne = (): Promise<void> => {
    const number = numbers++;
    return services.pool.transaction(async (tx) => {
      const emission = {
        event: EVENT,
        data: dataOf(number),
        userIds: [userId],
        senderId: userId,
        now: services.clock.now(),
      };
      await emit(tx, services, emission);
      // Just before the commit: the receipt is never earlier.
      committedAt.set(number, nowMs());
    });
  };
  const end = performance.now() + seconds * 1_000;
  for (let turn = 1; performance.now() < end; turn++) {
    await Promise.all(Array.from({ length: turn % BURST_EVERY === 0 ? BURST : 1 }, emitOne));
    await wait(PAUSE_MS);
  }
  await wait(2_000);
  const seen = await ask<Seen>(receiver, {});
  const latencies = seen.healthy
    .filter(([number]) => committedAt.has(number))
    .map(([number, receivedAt]) => receivedAt - (committedAt.get(number) ?? 0))
    .sort((a, b) => a - b);
  if (latencies.length < committedAt.size) throw new Error(`${committedAt.size - latencies.length} events are missing`);
  return {
    events: latencies.length,
    p50: at(latencies, 0.5),
    p95: at(latencies, 0.95),
    p99: at(latencies, 0.99),
    seen,
  };
}

const stage = await setStage();
try {
  await stage.startWorker();
  const { userId, client } = await stage.createEndpoints(1, "/healthy");
  await measure(stage, userId, 5);
  const quiet = await measure(stage, userId, quietSeconds);
  for (let number = 0; number < HANGING; number++)
    await client.createWebhook({ body: { url: `${stage.url}/hanging/${number}`, events: [EVENT] } });
  const beside = await measure(stage, userId, besideSeconds);
  const ms = ({ events, p50, p95, p99 }: Measured): string =>
    `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${events} events`;
  console.log(`quiet:                 ${ms(quiet)}`);
  console.log(`beside nine that hang: ${ms(beside)}`);
  if (quiet.p95 > MOST_QUIET_MS) {
    console.log(`p95 when quiet: at most ${MOST_QUIET_MS} ms wanted`);
    process.exitCode = 1;
  }
  const ratio = beside.p95 / quiet.p95;
  console.log(`ratio of the p95: ${ratio.toFixed(2)} (at most ${MOST_RATIO} wanted)`);
  if (ratio > MOST_RATIO) process.exitCode = 1;
  const { rows } = await stage.pool.query(
    "select count(*) filter (where lease is null) as waiting, count(*) as open from webhook_deliveries where due_at is not null",
  );
  const { hanging, hangingAtOnce, connections } = beside.seen;
  console.log(
    `the nine got ${hanging} requests in ${besideSeconds} s, at most ${hangingAtOnce} at once each, over ${connections} connections; of ${rows[0].open} deliveries to them ${rows[0].waiting} wait in the table`,
  );
} finally {
  await stage.close();
}
