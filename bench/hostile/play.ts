import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { benchDatabase } from "../database.ts";
import { processorMs, startPostgresTime, waitedMs } from "../processor-time.ts";
import type { Attack } from "./attack.ts";
import type { Ended } from "./fared.ts";
import { startService } from "./service.ts";
import { setStage } from "./stage.ts";

const WARM_UP_SECONDS = 3;
const QUIET_SECONDS = 6;
const ATTACK_SECONDS = 8;
/** How long an attack may take to end once it was told to. */
const END_MS = 15_000;

/** How what innocent users did ended, and the service's resident memory in MiB. */
export interface Outcome {
  readonly innocent: readonly {
    readonly doing: string;
    readonly quiet: readonly Ended[];
    readonly attacked: readonly Ended[];
  }[];
  readonly processor: ProcessorUse;
  readonly memoryBefore: number;
  readonly memoryPeak: number;
  readonly survived: boolean;
}

/** During the attack, in shares of one processor. */
export interface ProcessorUse {
  readonly service: number;
  /** How long the service's main thread was ready and waited, because others had the processors. */
  readonly waited: number;
  readonly postgres: number;
  readonly attackers: number;
}

/** Starts to measure; returns the function that ends it. */
function measure(service: number, dataDir: string): () => ProcessorUse {
  const begin = performance.now();
  const postgres = startPostgresTime(dataDir);
  const look = () => [processorMs(service), waitedMs(service), processorMs(process.pid)] as const;
  const before = look();
  return () => {
    const ms = performance.now() - begin;
    const [ran, waited, attackers] = look().map((value, at) => (value - (before[at] ?? 0)) / ms) as [
      number,
      number,
      number,
    ];
    return { service: ran, waited, attackers, postgres: postgres() / ms };
  };
}

/** Plays one attack against a service, a database and innocent users of its own. */
export async function play({
  env = {},
  deliveries = false,
  seconds,
  prepare,
  run,
  ...bounds
}: Attack): Promise<Outcome> {
  const database = await benchDatabase();
  const { dataDir } = database;
  const service = await startService({ DATA_DIR: dataDir, ...env }, bounds);
  const innocent = ["requests", ...(deliveries ? ["deliveries"] : [])].map((doing) => ({
    doing,
    process: fork(fileURLToPath(new URL(`./innocent-${doing}.ts`, import.meta.url)), [service.url, dataDir]),
  }));
  const watchAll = (seconds: number) => Promise.all(innocent.map(({ process }) => watch(process, seconds)));
  const end = new AbortController();
  const stage = setStage({ url: service.url, dataDir, signal: end.signal });
  try {
    await Promise.all(innocent.map(({ process }) => once(process, "message")));
    await prepare?.(stage);
    await watchAll(WARM_UP_SECONDS);
    const quiet = await watchAll(seconds ?? QUIET_SECONDS);
    const { now: memoryBefore } = await service.memory();
    const used = measure(service.pid, dataDir);
    const attack = run(stage);
    const attacked = await watchAll(seconds ?? ATTACK_SECONDS);
    const processor = used();
    const { peak: memoryPeak } = await service.memory();
    const survived = service.isAlive();
    end.abort();
    await inTime(attack);
    const all = innocent.map(({ doing }, at) => ({
      doing,
      quiet: quiet[at] ?? [],
      attacked: attacked[at] ?? [],
    }));
    return { innocent: all, processor, memoryBefore, memoryPeak, survived };
  } finally {
    end.abort();
    for (const { process } of innocent) process.disconnect();
    stage.close();
    await service.stop();
    await database.stop();
  }
}

async function watch(innocent: ChildProcess, seconds: number): Promise<Ended[]> {
  const response = once(innocent, "message");
  innocent.send({ seconds });
  return (await response)[0];
}

async function inTime(attack: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = setTimeout(() => reject(new Error("the attack did not end when it was told to")), END_MS);
  await Promise.race([attack, promise]).finally(() => clearTimeout(late));
}
