import { rollUp } from "../domain/tree/hours/roll-up.ts";
import { whatIfEach } from "../domain/tree/hours/what-if.ts";
import { bigTree } from "./big-tree.ts";
import { median, processorTimed } from "./timing.ts";

/** The maximum time for trying every option, as a multiple of one roll-up of the same tree. */
const MOST = 5;
/** The maximum of that time, in milliseconds of processor time. */
const MOST_MS = 100;
const ROUNDS = 60;

const settings = { correlation: 0.2, hourlyRate: 100, currency: "EUR" };

/** One roll-up: of the same tree with all of its 10,000 options counted. */
const whole = bigTree();

/** Trees of 10,000 options that differ in what is selected. */
const trees = [
  { name: "first of each node selected", tree: bigTree((made) => made % 6 === 2 || made % 6 === 3) },
  { name: "every second selected", tree: bigTree((made) => made % 2 === 0) },
  { name: "none selected", tree: bigTree(() => false) },
];

let worst = 0;
let longestMs = 0;
for (const { name, tree } of trees) {
  const times = { rollUp: [] as number[], whatIf: [] as number[] };
  let candidates = 0;
  for (let round = -ROUNDS / 3; round < ROUNDS; round += 1) {
    const rollUpMs = processorTimed(() => rollUp(whole, settings));
    const whatIfMs = processorTimed(() => {
      candidates = whatIfEach(tree, settings).length;
    });
    // The first rounds are warm-up for the compiler.
    if (round < 0) continue;
    times.rollUp.push(rollUpMs);
    times.whatIf.push(whatIfMs);
  }
  const whatIfMs = median(times.whatIf);
  longestMs = Math.max(longestMs, whatIfMs);
  const ratio = whatIfMs / median(times.rollUp);
  console.log(
    `${name}: ${candidates} options tried out in ${whatIfMs.toFixed(2)} ms, one roll-up in ${median(times.rollUp).toFixed(2)} ms: ${ratio.toFixed(2)} of it`,
  );
  worst = Math.max(worst, ratio);
}
console.log(
  `at most ${worst.toFixed(2)} roll-ups and ${longestMs.toFixed(2)} ms; target: at most ${MOST} and ${MOST_MS} ms`,
);
if (worst > MOST || longestMs > MOST_MS) process.exitCode = 1;
