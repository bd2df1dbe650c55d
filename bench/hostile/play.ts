import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { benchDatabase } from "../database.ts";
import type { Attack } from "./attack.ts";
import type { Fared } from "./innocent.ts";
import { startService } from "./service.ts";
import { setStage } from "./stage.ts";

const WARM_UP_SECONDS = 3;
const QUIET_SECONDS = 6;
const ATTACK_SECONDS = 8;
/** How long an attack may take to end once it was told to. */
const END_MS = 15_000;

/** How innocent users fared, and the service's resident memory in MiB. */
export interface Outcome {
  readonly quiet: Fared;
  readonly attacked: Fared;
  readonly memoryBefore: number;
  readonly memoryPeak: number;
  readonly survived: boolean;
}

/** Plays one attack against a service, a database and innocent users of its own. */
export async function play({ env = {}, memoryMiB, prepare, run }: Attack): Promise<Outcome> {
  const database = await benchDatabase();
  const { dataDir, connection } = database;
  const service = await startService({ DATA_DIR: dataDir, ...env }, memoryMiB);
  const innocent = fork(fileURLToPath(new URL("./innocent.ts", import.meta.url)), [service.url]);
  const end = new AbortController();
  const stage = await setStage({ url: service.url, dataDir, connection, signal: end.signal });
  try {
    await once(innocent, "message");
    await prepare?.(stage);
    await watch(innocent, WARM_UP_SECONDS);
    const quiet = await watch(innocent, QUIET_SECONDS);
    const { now: memoryBefore } = await service.memory();
    const attack = run(stage);
    const attacked = await watch(innocent, ATTACK_SECONDS);
    const { peak: memoryPeak } = await service.memory();
    const survived = service.isAlive();
    end.abort();
    await inTime(attack);
    return { quiet, attacked, memoryBefore, memoryPeak, survived };
  } finally {
    end.abort();
    innocent.disconnect();
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
