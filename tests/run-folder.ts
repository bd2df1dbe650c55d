import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { access, chmod, constants, mkdir, readdir, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { unmountBelow } from "./support/disk.ts";
import { childrenOf, discard } from "./support/embedded/places.ts";

const NAME = /^estimation-tests-(\d+)$/;

/** Where Linux keeps files in memory: making and removing a database there takes a third of the work. */
const IN_MEMORY = "/dev/shm";
/** Bytes that must be free there, several times what a run takes. */
const ROOM_BYTES = 8 * 2 ** 30;
const STOPPING = ["SIGINT", "SIGTERM"] as const;

/**
 * Makes the temporary folder of this run, in which every test and every program that a test starts puts its own, and
 * returns how to remove it with all that is in it. It is in memory where there is room, unless `TMPDIR` names another
 * place. What runs that were killed have left behind is removed before, including the PostgreSQLs that still run on it.
 * SIGTERM and SIGINT end the run with all that it has started, and remove the folder.
 */
export async function makeRunFolder(): Promise<() => Promise<void>> {
  const { TMPDIR } = process.env;
  const base = TMPDIR === undefined && (await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir();
  for (const place of new Set([base, tmpdir()])) {
    for (const name of await readdir(place)) {
      const pid = Number(NAME.exec(name)?.[1]);
      if (pid > 0 && (pid === process.pid || !isAlive(pid))) await removeOwn(join(place, name));
    }
  }
  const folder = join(base, `estimation-tests-${process.pid}`);
  await mkdir(folder);
  // As the temporary folder itself: some tests run programs as other users.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
  // By a program of its own, for which this one waits: Vitest ends as soon as signals have been handled.
  const stop = (): void => void spawnSync(process.execPath, [import.meta.filename, folder], { stdio: "inherit" });
  for (const signal of STOPPING) process.once(signal, stop);
  return async () => {
    for (const signal of STOPPING) process.off(signal, stop);
    // Vitest ends its own workers.
    if (process.platform === "linux") killAllIn(folder, childrenOf(process.pid));
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await remove(folder);
  };
}

/**
 * Kills every process, of whichever parent, that was started with `folder`, or one in it, as its temporary folder, except PostgreSQL, which
 * is ended where its data is removed, this process, its parent and `others`; Linux only.
 */
function killAllIn(folder: string, others: readonly number[] = []): void {
  if (process.platform !== "linux") return;
  const spared = [process.pid, process.ppid, ...others];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && !spared.includes(Number(name)))) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      const program = readFileSync(`/proc/${pid}/comm`, "latin1").trim();
      const isInside = variables.some((text) => text === `TMPDIR=${folder}` || text.startsWith(`TMPDIR=${folder}/`));
      if (isInside && program !== "postgres") process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or is another user's.
    }
  }
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Removes a folder, unless it is another user's. */
async function removeOwn(folder: string): Promise<void> {
  await remove(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
  });
}

async function remove(folder: string): Promise<void> {
  unmountBelow(folder);
  await discard(folder);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return (error as { code?: string }).code === "EPERM";
  }
}

// Ends what runs in the folder that is named, and removes it.
if (import.meta.main) {
  const [folder = ""] = process.argv.slice(2);
  killAllIn(folder);
  await remove(folder);
}
