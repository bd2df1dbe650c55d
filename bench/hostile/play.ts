import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { benchDatabase } from "../database.ts";
import type { Attack } from "./attack.ts";
import type { Fared } from "./fared.ts";
import { startService } from "./service.ts";
import { setStage } from "./stage.ts";

const WARM_UP_SECONDS = 3;
const QUIET_SECONDS = 6;
const ATTACK_SECONDS = 8;
/** How long an attack may take to end once it was told to. */
const END_MS = 15_000;

/** How innocent users fared in what they do, and the service's resident memory in MiB. */
export interface Outcome {
  readonly innocent: readonly { readonly doing: string; readonly quiet: Fared; readonly attacked: Fared }[];
  readonly memoryBefore: number;
  readonly memoryPeak: number;
  readonly survived: boolean;
}

/** Plays one attack against a service, a database and innocent users of its own. */
export async function play({ env = {}, memoryMiB, deliveries = false, prepare, run }: Attack): Promise<Outcome> {
  const database = await benchDatabase();
  const { dataDir, connection } = database;
  const service = await startService({ DATA_DIR: dataDir, ...env }, memoryMiB);
  const innocent = ["requests", ...(deliveries ? ["deliveries"] : [])].map((doing) => ({
    doing,
    process: fork(fileURLToPath(new URL(`./innocent-${doing}.ts`, import.meta.url)), [service.url, dataDir]),
  }));
  const watchAll = (seconds: number) => Promise.all(innocent.map(({ process }) => watch(process, seconds)));
  const end = new AbortController();
  const stage = await setStage({ url: service.url, dataDir, connection, signal: end.signal });
  try {
    await Promise.all(innocent.map(({ process }) => once(process, "message")));
    await prepare?.(stage);
    await watchAll(WARM_UP_SECONDS);
    const quiet = await watchAll(QUIET_SECONDS);
    const { now: memoryBefore } = await service.memory();
    const attack = run(stage);
    const attacked = await watchAll(ATTACK_SECONDS);
    const { peak: memoryPeak } = await service.memory();
    const survived = service.isAlive();
    end.abort();
    await inTime(attack);
    const fared = innocent.map(({ doing }, at) => ({
      doing,
      quiet: quiet[at] as Fared,
      attacked: attacked[at] as Fared,
    }));
    return { innocent: fared, memoryBefore, memoryPeak, survived };
  } finally {
    end.abort();
    for (const { process } of innocent) process.disconnect();
    await stage.close();
    await service.stop();
    await database.stop();
  }
}

async function watch(innocent: ChildProcess, seconds: number): Promise<Fared> {
  const answer = once(innocent, "message");
  innocent.send({ seconds });
  return (await answer)[0];
}

async function inTime(attack: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = setTimeout(() => reject(new Error("the attack did not end when it was told to")), END_MS);
  await Promise.race([attack, promise]).finally(() => clearTimeout(late));
}
