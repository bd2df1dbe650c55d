/**
 * `npm run bench:scale`: what requests and deliveries take of the processors with more processes, and how lists grow from a
 * hundredth of so many estimations to all of them. `--rows 20000` takes a small size, `--rounds 2 --requests 500` short rounds;
 * names choose parts: `processes`, `workers`, `lists`. Ends with 1 where a target is missed.
 */
import { parseArgs } from "node:util";
import { compareLists } from "./lists.ts";
import { compareApiProcesses } from "./processes.ts";
import { compareWorkers } from "./workers.ts";

const { values, positionals } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "4" },
    requests: { type: "string", default: "10000" },
    deliveries: { type: "string", default: "5000" },
  },
  allowPositionals: true,
});
const [rows, rounds, requests, deliveries] = [values.rows, values.rounds, values.requests, values.deliveries].map(
  Number,
) as [number, number, number, number];
const PARTS = {
  processes: () => compareApiProcesses(rounds, requests),
  workers: () => compareWorkers(rounds, deliveries),
  lists: () => compareLists(rows),
} as const;

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name);
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
for (const name of names) if (!isPart(name)) throw new Error(`the parts are ${Object.keys(PARTS).join(", ")}`);
for (const name of names.filter(isPart)) {
  console.log(`\n${name}`);
  await PARTS[name]();
}
