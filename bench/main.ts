/**
 * `npm run bench`: runs the benchmarks behind the claims about speed, one after the other; arguments select others.
 * Exits with 1 if a target is missed.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const USUAL = [
  "roll-up.ts",
  "what-if.ts",
  "diff.ts",
  "merge.ts",
  "forecast.ts",
  "proposal.ts",
  "start.ts",
  "packed-start.ts",
  "requests/main.ts",
  "requests/memory.ts",
  "requests/metrics.ts",
  "largest-requests.ts",
  "rounds.ts",
  "estimation-list/main.ts short",
  "estimation-list/teams.ts short",
];
const named = process.argv.slice(2);

for (const bench of named.length > 0 ? named : USUAL) {
  console.log(`\n${bench}`);
  const [file = "", ...words] = bench.split(" ");
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...words], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
