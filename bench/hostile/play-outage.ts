import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ended } from "./fared.ts";
import type { Outage, Scene } from "./outage.ts";
import { type Service, startService } from "./service.ts";

/** `REQUEST_TIMEOUT`, in seconds, shorter than the outage lasts. */
export const REQUEST_SECONDS = 4;
const WARM_UP_SECONDS = 3;
const MEASURED_SECONDS = 8;
const OUTAGE_SECONDS = 8;
/** How long recovering may take before it is given up. */
const RECOVERY_SECONDS = 60;

/** How innocent users' requests ended before, during and after an outage. */
export interface OutageOutcome {
  readonly quiet: readonly Ended[];
  /** From the first moment of the fault until shortly before it ends. */
  readonly during: readonly Ended[];
  /** Seconds from the end of the fault, or from its beginning if it ends by itself, until a second passed in which every request succeeded; null if none did. */
  readonly recoverySeconds: number | null;
  readonly afterwards: readonly Ended[];
  readonly memoryBefore: number;
  readonly memoryPeak: number;
  readonly survived: boolean;
  /** Further processes that started on the same data. */
  readonly others: number;
}

/** Plays one outage against a service with a database of its own, while innocent users go on sending requests. */
export async function playOutage({ diskMebibytes, endsByItself, begin, end }: Outage): Promise<OutageOutcome> {
  const place = await makePlace(diskMebibytes);
  const env = { DATA_DIR: place.dataDir, REQUEST_TIMEOUT: String(REQUEST_SECONDS) };
  const service = await startService(env, {});
  const others: Service[] = [];
  const innocent = fork(fileURLToPath(new URL("./innocent-requests.ts", import.meta.url)), [service.url]);
  const scene: Scene = {
    dataDir: place.dataDir,
    signalDatabase: (signal) => signalDatabase(place.dataDir, signal),
    // What a refused start says is not shown.
    startAnother: () =>
      startService(env, { hasFullLog: true }).then(
        (other) => void others.push(other),
        () => {},
      ),
  };
  try {
    await once(innocent, "message");
    await watch(innocent, WARM_UP_SECONDS);
    const quiet = await watch(innocent, MEASURED_SECONDS);
    const { now: memoryBefore } = await service.memory();
    let during: Ended[] = [];
    let recoverySeconds: number | null;
    if (endsByItself) {
      const begun = begin(scene);
      recoverySeconds = await secondsToRecover(innocent, (second) => during.push(...second));
      await begun;
    } else {
      const watched = watch(innocent, OUTAGE_SECONDS);
      await begin(scene);
      during = await watched;
      await end(scene);
      recoverySeconds = await secondsToRecover(innocent);
    }
    const afterwards = await watch(innocent, MEASURED_SECONDS);
    const { peak: memoryPeak } = await service.memory();
    return {
      quiet,
      during,
      recoverySeconds,
      afterwards,
      memoryBefore,
      memoryPeak,
      survived: service.isAlive(),
      others: others.length,
    };
  } finally {
    innocent.disconnect();
    // A paused server would not end; one that has crashed is not there.
    await signalDatabase(place.dataDir, "SIGCONT").catch(() => {});
    await Promise.all([service, ...others].map((one) => one.stop()));
    await place.remove();
  }
}

async function secondsToRecover(
  innocent: ChildProcess,
  onSecond: (second: readonly Ended[]) => void = () => {},
): Promise<number | null> {
  const from = performance.now();
  for (;;) {
    const second = await watch(innocent, 1);
    onSecond(second);
    const seconds = (performance.now() - from) / 1_000;
    if (second.every(({ ending }) => ending === "done")) return seconds;
    if (seconds > RECOVERY_SECONDS) return null;
  }
}

async function watch(innocent: ChildProcess, seconds: number): Promise<Ended[]> {
  const answer = once(innocent, "message");
  innocent.send({ seconds });
  return (await answer)[0];
}

async function signalDatabase(dataDir: string, signal: NodeJS.Signals): Promise<void> {
  const server = Number.parseInt(await readFile(join(dataDir, "postgresql", "postmaster.pid"), "utf8"), 10);
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").split(" ").filter(Boolean);
  for (const pid of [server, ...children.map(Number)]) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended with its parent.
    }
  }
}

/** Makes a folder for the data, with `diskMebibytes` on a disk of its own. */
async function makePlace(diskMebibytes?: number): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-bench-"));
  const hasDisk = diskMebibytes !== undefined;
  if (hasDisk) execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMebibytes}m,mode=755`, "tmpfs", dataDir]);
  return {
    dataDir,
    async remove() {
      if (hasDisk) execFileSync("umount", ["-l", dataDir]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
