import { chmod, mkdir, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { discard } from "../server/db/embedded/fixtures/places.ts";
import { unmountBelow } from "./support/disk.ts";

const NAME = /^estimation-tests-(\d+)$/;

/**
 * Makes the temporary folder of this run, in which every test and every program that a test starts puts its own, and
 * returns how to remove it with all that is in it. What runs that were killed have left behind is removed before, the
 * PostgreSQLs that still run on it included.
 */
export async function makeRunFolder(): Promise<() => Promise<void>> {
  const base = tmpdir();
  for (const name of await readdir(base)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) await remove(join(base, name));
  }
  const folder = join(base, `estimation-tests-${process.pid}`);
  await mkdir(folder);
  // As the temporary folder itself: some tests run programs as other users.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
  return async () => {
    process.env.TMPDIR = base;
    await remove(folder);
  };
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
