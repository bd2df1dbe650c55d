/**
 * Runs tests many times beside a load, to find those that depend on luck. Arguments: how many times, how many programs
 * that compute without a pause run beside them, and what to run, as for Vitest. Each run draws other values for what tests
 * leave to chance (`tests/support/seed.ts`), and waits longer before a test fails (`tests/support/patience.ts`). Prints
 * the failures of each run. SIGINT and SIGTERM end it with all that it started.
 *
 *     npm run test:repeat -- 20 4 server/db/embedded
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

const [times = 0, load = 0] = process.argv.slice(2, 4).map(Number);
const paths = process.argv.slice(4);
if (!(times > 0 && load >= 0) || paths.length === 0) {
  console.error("Usage: npm run test:repeat -- TIMES LOAD PATH…");
  process.exit(2);
}

/** How many times longer than usual tests may wait here. */
const PATIENCE = 10;

/** Computes until the program that started it has ended, however that ended. */
const COMPUTE = "for (const parent = process.ppid; process.ppid === parent; ) for (let i = 0; i < 1e8; i += 1);";

let running: ChildProcess | undefined;
let stopped = false;

/** Runs the tests once; returns the lines that name a failure, none where all passed. */
async function runOnce(seed: number): Promise<string[]> {
  const words = ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", ...paths];
  const env = { ...process.env, SEED: String(seed), PATIENCE: String(PATIENCE), ALL_CASES: "1" };
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"], env });
  running = child;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code === 0) return [];
  const lines = stripVTControlCharacters(`${out}\n${err}`).split("\n");
  const failures = lines.filter((line) => /^\s*(FAIL|\w*Error:|error during)/.test(line));
  return failures.length > 0 ? failures : lines.slice(-20);
}

const computing: ChildProcess[] = Array.from({ length: load }, () => spawn(process.execPath, ["-e", COMPUTE]));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopped = true;
    running?.kill("SIGTERM");
  });
}
const firstSeed = randomInt(1e9);
let failed = 0;
try {
  for (let run = 1; run <= times; run += 1) {
    const beginMs = performance.now();
    const failures = await runOnce(firstSeed + run);
    if (stopped) break;
    if (failures.length > 0) failed += 1;
    const seconds = Math.round((performance.now() - beginMs) / 1_000);
    const outcome = failures.length > 0 ? `failed with SEED=${firstSeed + run}` : "passed";
    console.log([`run ${run}: ${outcome} in ${seconds} s`, ...failures].join("\n  "));
  }
} finally {
  for (const one of computing) one.kill("SIGKILL");
}
console.log(stopped ? "stopped" : `${failed} of ${times} runs failed`);
process.exitCode = stopped || failed > 0 ? 1 : 0;
