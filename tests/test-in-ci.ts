/**
 * Runs commands that run tests, one after the other, as CI does. Arguments: the commands. Where a command fails only because of tests,
 * in at most three files over all commands, those files run once more, alone: where they then pass, each of the tests is named as
 * `unsteady` and the next command begins. Whatever else fails ends it: checks, set-ups, errors outside of tests, crashes. Ends with
 * what failed. SIGINT and SIGTERM end it with all that it started.
 *
 *     npm run test:ci -- "npm test" "npm run test:all"
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FailedRun } from "./failed-tests.ts";

const MOST_FILES = 3;

if (process.argv.length === 2) {
  console.error('Usage: npm run test:ci -- "npm test"…');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "failed-"));
const file = join(folder, "run.json");
let running: ChildProcess | undefined;
let stopped = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopped = true;
    if (running?.pid !== undefined) process.kill(-running.pid, signal);
  });
}

/** Runs a command; returns null if it passed, and else what failed as far as it is known. */
async function run(command: string, words: readonly string[], shell: boolean): Promise<FailedRun | "unknown" | null> {
  rmSync(file, { force: true });
  const env = { ...process.env, FAILED_RUN: file };
  // In a group of its own, so that a signal reaches all of it, also below a shell.
  const child = spawn(command, words, { stdio: ["ignore", "inherit", "inherit"], shell, env, detached: true });
  running = child;
  const [code] = await once(child, "close");
  if (stopped) return "unknown";
  if (code === 0) return null;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as FailedRun;
  } catch {
    return "unknown";
  }
}

/** Runs the failed files again, and returns whether they passed. */
async function passesAlone({ config, tests }: FailedRun, files: readonly string[]): Promise<boolean> {
  console.log(`\nOnce more, alone: ${files.join(" ")}`);
  const words = ["node_modules/vitest/vitest.mjs", "run", "--config", config, "--maxWorkers", "1", ...files];
  if ((await run(process.execPath, words, false)) !== null) return false;
  for (const { file, name } of tests) console.log(`unsteady: ${file} › ${name}`);
  return true;
}

/** Runs all commands; returns whether they passed. */
async function runAll(commands: readonly string[]): Promise<boolean> {
  const repeated = new Set<string>();
  for (const command of commands) {
    const failed = await run(command, [], true);
    if (failed === null) continue;
    if (failed === "unknown") {
      console.error(`\n${command} ${stopped ? "was stopped" : "failed outside of tests"}`);
      return false;
    }
    const files = [...new Set(failed.tests.map(({ file }) => file))];
    for (const one of files) repeated.add(one);
    const mayRepeat = !failed.hasOther && repeated.size <= MOST_FILES;
    if (mayRepeat && (await passesAlone(failed, files))) continue;
    console.error(`\n${command} failed\n${failed.summary}`);
    return false;
  }
  return true;
}

try {
  process.exitCode = (await runAll(process.argv.slice(2))) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
