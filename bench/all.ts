/**
 * `npm run bench:all`: runs the benchmarks that compare the service with something else in the same run, prints their results as one
 * table, and writes it into `docs/benchmarks.md`, in about a quarter of an hour. `npm run bench:all -- quick` takes small sizes, and
 * says so on the page; names choose parts, such as `requests/main.ts`, and write nothing. Ends with 1 where a target is missed.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { type Part, pageOf, tableOf } from "./benchmarks-page.ts";
import { isMissed, type Result } from "./result.ts";

/** Programs with their arguments in a whole run and in a quick one. */
const BENCHES: readonly (readonly [file: string, whole: string, quick: string])[] = [
  ["requests/main.ts", "5 3", "1 1"],
  ["directus/main.ts", "5 3", "1 1"],
  ["webhooks/main.ts", "5000 3 0", "500 1 0"],
  ["roll-up.ts", "", ""],
  ["suggestion/speed.ts", "", ""],
  ["forecast.ts", "", ""],
  ["web/main.ts", "", "ratios"],
  ["start.ts", "5", "1"],
];

/** Runs a benchmark in a process of its own, whose lines are shown. */
async function run(file: string, words: string): Promise<Part> {
  console.log(`\n${file} ${words}`);
  const begin = performance.now();
  const results: Result[] = [];
  const child = fork(
    fileURLToPath(new URL(file, import.meta.url)),
    words.split(" ").filter((word) => word !== ""),
  );
  child.on("message", (result: Result) => results.push(result));
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  const command = `node bench/${file}${words === "" ? "" : ` ${words}`}`;
  const seconds = (performance.now() - begin) / 1_000;
  const isBroken = signal !== null || results.length === 0 || (code !== 0 && !results.some(isMissed));
  if (code !== 0) process.exitCode = 1;
  return {
    command,
    results,
    seconds,
    fault: isBroken ? `left out, or a part of it: it ended with ${signal ?? code}` : null,
  };
}

const named = process.argv.slice(2).filter((word) => word !== "quick");
const loads = [loadavg()[0] ?? 0];
const isQuick = process.argv.includes("quick");
const parts: Part[] = [];
for (const [file, whole, quick] of BENCHES)
  if (named.length === 0 || named.includes(file)) parts.push(await run(file, isQuick ? quick : whole));
console.log(`\n${tableOf(parts)}`);
loads.push(loadavg()[0] ?? 0);
if (named.length === 0)
  await writeFile(
    new URL("../docs/benchmarks.md", import.meta.url),
    pageOf(parts, { date: new Date(), isQuick, loads }),
  );
