import { access, chmod, constants, mkdir, readdir, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { unmountBelow } from "./support/disk.ts";
import { discard } from "./support/embedded/places.ts";

const NAME = /^estimation-tests-(\d+)$/;

/** Where Linux keeps files in memory: making and removing a database there takes a third of the work. */
const IN_MEMORY = "/dev/shm";
/** Bytes that must be free there, several times what a run takes. */
const ROOM_BYTES = 8 * 2 ** 30;

/**
 * Makes the temporary folder of this run, in which every test and every program that a test starts puts its own, and
 * returns how to remove it with all that is in it. It is in memory where there is room, unless `TMPDIR` names another
 * place. What runs that were killed have left behind is removed before, including the PostgreSQLs that still run on it.
 */
export async function makeRunFolder(): Promise<() => Promise<void>> {
  const { TMPDIR } = process.env;
  const base = TMPDIR === undefined && (await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir();
  for (const place of new Set([base, tmpdir()])) {
    for (const name of await readdir(place)) {
      const pid = Number(NAME.exec(name)?.[1]);
      if (pid > 0 && (pid === process.pid || !isAlive(pid))) await remove(join(place, name));
    }
  }
  const folder = join(base, `estimation-tests-${process.pid}`);
  await mkdir(folder);
  // As the temporary folder itself: some tests run programs as other users.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
  return async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await remove(folder);
  };
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
