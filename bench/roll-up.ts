import { presentHours } from "../domain/tree/present-hours.ts";
import { rollUp } from "../domain/tree/roll-up.ts";
import type { Node, Option, Tree } from "../domain/tree/shape.ts";

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

const settings = { correlation: 0.2, hourlyRate: 100, currency: "EUR" };

/**
 * Compares the pure roll-up of a parsed tree of 2,000 nodes and 10,000 options, all of them counted, with `JSON.parse`
 * and `JSON.stringify` of that tree: what reading and answering it costs anyway. Both take turns in the same rounds.
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
    // The first rounds are for the compiler.
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

/** 400 root nodes, each a chain of five levels with five options a node; the first option opens the next level. */
function bigTree(): Tree {
  let made = 0;
  const id = (prefix: string): string => {
    made += 1;
    return `${prefix}_01k00000000000000000${String(made).padStart(6, "0")}`;
  };
  const node = (levels: number): Node => ({
    id: id("nod"),
    title: `Which way to build part ${made}?`,
    description: "",
    kind: "multi",
    required: true,
    min: 1,
    max: 5,
    options: Array.from({ length: 5 }, (_, index) => option(index === 0 && levels > 1 ? [node(levels - 1)] : [])),
  });
  const option = (nodes: Node[]): Option => ({
    id: id("opt"),
    title: `Way ${made} to build it`,
    description: "As the client described it",
    hours: { optimistic: 1 + (made % 7), likely: 9 + (made % 5), pessimistic: 16 + (made % 23) },
    quantity: 1 + (made % 3) / 2,
    unit: null,
    role: ["backend", "frontend", "design", null][made % 4] ?? null,
    requires: [],
    excludes: [],
    selected: true,
    override: null,
    nodes,
  });
  return { nodes: Array.from({ length: 400 }, () => node(5)) };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (import.meta.main) {
  const bench = benchRollUp();
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  console.log(`Tree of ${bench.nodes} nodes, ${bench.options} options, ${bench.jsonBytes} bytes of JSON`);
  console.log(`JSON.parse + JSON.stringify  ${ms(bench.jsonMs)}`);
  console.log(
    `roll-up                      ${ms(bench.rollUpMs)}  (${bench.ratio.toFixed(2)} of it; target: at most 1)`,
  );
  console.log(`rounding it for the answer   ${ms(bench.presentMs)}`);
  if (bench.ratio > 1) process.exitCode = 1;
}
