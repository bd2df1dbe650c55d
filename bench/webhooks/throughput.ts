import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { enqueueAll } from "../../server/features/webhooks/enqueue.ts";
import { median } from "../database.ts";
import { startPostgresTime } from "../processor-time.ts";
import type { Seen } from "./receiver.ts";
import { ask, dataOf, type Endpoints, EVENT, type Stage } from "./stage.ts";

/** Events of one statement, so that a backlog is soon made. */
const AT_ONCE = 100;

/** Medians over the rounds. */
interface Pace {
  readonly perSecond: number;
  /** Processor time of the sending process for one delivery. */
  readonly cpuMicroseconds: number;
}

export interface Throughput {
  readonly service: Pace;
  readonly bare: Pace;
  /** The median of the rounds' ratios, and the rounds themselves. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

interface Drain {
  readonly ms: number;
  /** Processor time of all senders. */
  readonly cpuMs: number;
}

/** Commits `amount` deliveries over `webhookIds` and returns how long it takes from then until all outcomes are recorded. */
export async function drainBacklog(
  { services, pool, workers, receiver, dataDir }: Stage,
  { userId, webhookIds }: Endpoints,
  amount: number,
): Promise<Drain & { readonly postgresMs: number }> {
  await ask(receiver, {});
  await services.pool.transaction(async (tx) => {
    for (let made = 0; made < amount; made += AT_ONCE) {
      const dispatches = Array.from({ length: AT_ONCE }, (_, at) => ({
        occurrence: { event: EVENT, data: dataOf(made), at: services.clock.now() },
        senderId: "",
        receivers: [{ id: webhookIds[(made + at) % webhookIds.length] as string, userId, bodyFormat: "data" as const }],
      }));
      await enqueueAll(tx, services.ids, dispatches);
    }
  });
  const begin = performance.now();
  const cpu = await cpuMs(workers);
  const postgresTime = startPostgresTime(dataDir);
  // The database is not asked before all have been sent: that would cost it more than they do.
  for (let responded = 0; responded < amount; ) {
    responded += (await ask<Seen>(receiver, {})).responded;
    await wait(10);
  }
  for (;;) {
    const { rows } = await pool.query(
      "select exists (select from webhook_deliveries where due_at is not null) as open",
    );
    const [ms, postgresMs] = [performance.now() - begin, postgresTime()];
    if (!rows[0].open) return { ms, postgresMs, cpuMs: (await cpuMs(workers)) - cpu };
    await wait(5);
  }
}

async function cpuMs(workers: readonly ChildProcess[]): Promise<number> {
  const usages = await Promise.all(workers.map((worker) => ask<NodeJS.CpuUsage>(worker, {})));
  return usages.reduce((sum, { user, system }) => sum + user + system, 0) / 1_000;
}

/** Drains backlogs with the service's worker and with the bare loop, in turns. */
export async function benchThroughput(
  stage: Stage,
  { endpoints, amount, loops, rounds }: { endpoints: number; amount: number; loops: number; rounds: number },
): Promise<Throughput> {
  const created = await stage.createEndpoints(endpoints);
  const service: Drain[] = [];
  const bare: Drain[] = [];
  // The first round is for the compiler and the connections.
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await drainBacklog(stage, created, amount);
    const theirs = await ask<Drain>(stage.bare, { amount, loops });
    if (round === 0) continue;
    service.push(ours);
    bare.push(theirs);
  }
  const paceOf = (drains: readonly Drain[]): Pace => ({
    perSecond: median(drains.map(({ ms }) => (amount * 1_000) / ms)),
    cpuMicroseconds: median(drains.map(({ cpuMs }) => (cpuMs * 1_000) / amount)),
  });
  const ratios = service.map(({ ms }, at) => (bare[at]?.ms ?? 0) / ms);
  return { service: paceOf(service), bare: paceOf(bare), ratio: median(ratios), ratios };
}
