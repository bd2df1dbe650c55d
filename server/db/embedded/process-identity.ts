import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { run } from "./run.ts";

/** What runs under a process id: PostgreSQL on the given folder, something else, or nothing any more. */
export type Identity = "postgres" | "other" | "gone";

/**
 * Returns whether a process with this id exists, including a dead one that its parent has not waited for (a zombie).
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Returns whether process `pid` is PostgreSQL on `cluster`. Process ids are reused, so a file that contains one proves
 * nothing by itself. On Windows, which has no cheap way to find out, an existing process counts as PostgreSQL.
 */
export async function identify(pid: number, cluster: string): Promise<Identity> {
  if (!isAlive(pid)) return "gone";
  if (process.platform === "win32") return "postgres";
  if (process.platform === "linux") return identifyThroughProc(pid, cluster);
  const { output } = await run("/bin/ps", ["-o", "stat=", "-o", "command=", "-p", String(pid)]);
  const [state = "", ...command] = output.trim().split(/\s+/);
  if (state === "" || state.startsWith("Z")) return "gone";
  return path.basename(command[0] ?? "") === "postgres" && output.includes(cluster) ? "postgres" : "other";
}

function identifyThroughProc(pid: number, cluster: string): Identity {
  try {
    // The state follows the program's name, which is in parentheses and may contain anything.
    const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0];
    if (state === "Z" || state === "X") return "gone";
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (path.basename(command[0] ?? "") !== "postgres") return "other";
    return command.includes(cluster) || isWorkingFolder(pid, cluster) ? "postgres" : "other";
  } catch {
    return isAlive(pid) ? "other" : "gone";
  }
}

/** PostgreSQL's working directory is its data directory, so it is found even after the folder was renamed. */
function isWorkingFolder(pid: number, folder: string): boolean {
  try {
    const [working, wanted] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return working.dev === wanted.dev && working.ino === wanted.ino;
  } catch {
    return false;
  }
}
