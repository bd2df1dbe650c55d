import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { explaining } from "./embedded/start-failure.ts";

/**
 * Records in a data directory which process holds a part of it. The database lock says the same, but ends while
 * PostgreSQL is down: with the note, a second start at that moment sees that the holder is still alive.
 */
export interface HolderNotes {
  /** Records this process as the holder. Call it while holding the lock. */
  write(): Promise<void>;
  /** Returns the recorded process id if it belongs to another living process; else undefined. */
  findOther(): Promise<number | undefined>;
  remove(): Promise<void>;
}

/** The notes of `parts` in `folder`, one file per part. */
export function createHolderNotes(folder: string, parts: readonly string[]): HolderNotes {
  const files = parts.map((part) => path.join(folder, `holder.${part}`));
  const mine = describeProcess(process.pid);
  const read = (file: string) => readFile(file, "utf8").catch(() => "");
  return {
    async write() {
      for (const file of files) {
        // A note that is already right is not written again: writing might fail if the disk is full.
        if (mine === undefined || (await read(file)) === mine) continue;
        await explaining(`write ${file}`, () => replace(file, mine));
      }
    },
    async findOther() {
      for (const file of files) {
        const note = await read(file);
        const pid = Number.parseInt(note, 10);
        if (note !== mine && pid > 0 && describeProcess(pid) === note) return pid;
      }
      return undefined;
    },
    async remove() {
      for (const file of files) if ((await read(file)) === mine) await rm(file, { force: true });
    },
  };
}

/** Writes a file whole or not at all, if there is room for a second one; otherwise over the former content. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    // The note of a process that was killed has its place on a full disk. A note of which only a part is there names nobody.
    await writeFile(file, text, { flag: "r+" }).catch(() => Promise.reject(error));
    await truncate(file, Buffer.byteLength(text));
  }
}

/**
 * Returns the id of a living process with what distinguishes it from a later one with the same id: its start time and,
 * on Linux, the boot id of the machine. Undefined if there is no such process (a zombie does not count), or if the
 * system does not tell.
 */
function describeProcess(pid: number): string | undefined {
  try {
    if (process.platform === "linux") {
      // Fields from the third on; the second is the program's name in parentheses, which may contain anything.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      const [state = "", began] = [fields[0], fields[19]];
      const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
      return "ZX".includes(state) ? undefined : `${pid} ${began} ${bootId}`;
    }
    if (process.platform === "win32") return undefined;
    const told = execFileSync("/bin/ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    const [, state = "", began] = /^(\S+)\s+(.*)/.exec(told) ?? [];
    return state.startsWith("Z") ? undefined : `${pid} ${began}\n`;
  } catch {
    return undefined;
  }
}
