import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

const LOW = constants.priority.PRIORITY_BELOW_NORMAL;
const THREADS = "/proc/self/task";
/** V8's name of the threads that collect the garbage of all threads of a process. */
const HELPER = "V8Worker";

/**
 * Lets the calling thread, and V8's helpers, take only the processor time that is left by the others. Without the helpers
 * it would have little effect: large work makes so much garbage that they take more time than the work itself. Only Linux
 * has priorities of threads; elsewhere nothing happens.
 */
export function yieldProcessors(): void {
  if (process.platform !== "linux") return;
  lower(0);
  for (const thread of readdirSync(THREADS)) if (nameOf(thread) === HELPER) lower(Number(thread));
}

/** Lowers the priority of a thread, 0 for the calling one. Raising one that is lower already needs a right. */
function lower(thread: number): void {
  if (getPriority(thread) < LOW) setPriority(thread, LOW);
}

/** Returns the name of a thread; an empty text if it has ended. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`${THREADS}/${thread}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
