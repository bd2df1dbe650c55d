import { presentHours } from "../domain/tree/hours/present-hours.ts";
import { rollUp } from "../domain/tree/hours/roll-up.ts";
import type { Tree } from "../domain/tree/shape.ts";
import { bigTree } from "./big-tree.ts";
import { report } from "./result.ts";
import { median, timed } from "./timing.ts";

/** Medians in milliseconds over the rounds of one run, and the roll-up's time as a share of the JSON round trip's. */
export interface RollUpBench {
  nodes: number;
  options: number;
  jsonBytes: number;
  jsonMs: number;
  rollUpMs: number;
  presentMs: number;
  ratio: number;
}

/** The maximum time of the roll-up, as a multiple of reading and writing the tree as JSON. */
const MOST = 0.6;

const settings = { correlation: 0.2, hourlyRate: 100, currency: "EUR" };

/**
 * Compares the pure roll-up of a parsed tree of 2,000 nodes and 10,000 options, all of them counted, with `JSON.parse`
 * and `JSON.stringify` of that tree: what reading and returning it costs anyway. Both take turns in the same rounds.
 */
export function benchRollUp(rounds = 60): RollUpBench {
  const json = JSON.stringify(bigTree());
  const times = { json: [] as number[], rollUp: [] as number[], present: [] as number[] };
  for (let round = -rounds / 3; round < rounds; round += 1) {
    let tree: Tree = { nodes: [] };
    const jsonMs = timed(() => {
      tree = JSON.parse(json) as Tree;
      JSON.stringify(tree);
    });
    let result = rollUp({ nodes: [] }, settings);
    const rollUpMs = timed(() => {
      result = rollUp(tree, settings);
    });
    const presentMs = timed(() => presentHours(result));
    // The first rounds are warm-up for the compiler.
    if (round < 0) continue;
    times.json.push(jsonMs);
    times.rollUp.push(rollUpMs);
    times.present.push(presentMs);
  }
  const jsonMs = median(times.json);
  const rollUpMs = median(times.rollUp);
  return {
    nodes: 2_000,
    options: 10_000,
    jsonBytes: json.length,
    jsonMs,
    rollUpMs,
    presentMs: median(times.present),
    ratio: rollUpMs / jsonMs,
  };
}

if (import.meta.main) {
  const bench = benchRollUp();
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  console.log(`Tree of ${bench.nodes} nodes, ${bench.options} options, ${bench.jsonBytes} bytes of JSON`);
  report({
    name: "roll-up of 10,000 options",
    reference: "JSON.parse + JSON.stringify",
    unit: "ms",
    ours: bench.rollUpMs,
    theirs: bench.jsonMs,
    ratio: bench.ratio,
    target: { most: MOST },
  });
  console.log(`rounding it for the response ${ms(bench.presentMs)}`);
}
