import type { Node } from "../domain/tree/shape.ts";
import { diff } from "../domain/versions/diff.ts";
import type { Snapshot } from "../domain/versions/shape.ts";
import { bigTree, snapshotOf } from "./big-tree.ts";
import { median, timed } from "./timing.ts";

/** The maximum time of a diff, as a multiple of parsing both of its ends. */
const MOST = 5;
const ROUNDS = 15;

const from = bigTree().nodes;

/** The same tree with every node and option changed by `edit`. */
function each(edit: (thing: Node | Node["options"][number]) => object, nodes: readonly Node[] = from): Node[] {
  return nodes.map((node) => ({
    ...node,
    ...edit(node),
    options: node.options.map((option) => ({ ...option, ...edit(option), nodes: each(edit, option.nodes) })),
  }));
}

/** The same tree with all children in reverse order. */
const reversed = (nodes: readonly Node[]): Node[] =>
  nodes.toReversed().map((node) => ({
    ...node,
    options: node.options.toReversed().map((option) => ({ ...option, nodes: reversed(option.nodes) })),
  }));

/** The same nodes and options, each below another parent: the root chains exchange what is below them. */
const exchanged = (): Node[] =>
  from.map((node, index) => ({
    ...node,
    options: (from[(index + 1) % from.length] as Node).options,
  }));

const renamed = each(({ id }) => ({ id: id.replace("01k", "02k") }));
const targets: readonly (readonly [string, Node[]])[] = [
  ["nothing changed", structuredClone(from)],
  ["a field of each thing changed", each(({ title }) => ({ title: `${title} anew` }))],
  ["every option deselected", each((thing) => ("selected" in thing ? { selected: false } : {}))],
  ["everything the other way round", reversed(from)],
  ["every root's options moved", exchanged()],
  ["everything removed, and as much added", renamed],
];

let worst = 0;
for (const [name, nodes] of targets) {
  const ends = [JSON.stringify(snapshotOf(from)), JSON.stringify(snapshotOf(nodes))] as const;
  const times = { parse: [] as number[], diff: [] as number[] };
  let operations = 0;
  for (let round = -3; round < ROUNDS; round += 1) {
    let parsed: Snapshot[] = [];
    const parseMs = timed(() => {
      parsed = ends.map((end) => JSON.parse(end) as Snapshot);
    });
    const diffMs = timed(() => {
      operations = diff(parsed[0] as Snapshot, parsed[1] as Snapshot).length;
    });
    // The first rounds are warm-up for the compiler.
    if (round < 0) continue;
    times.parse.push(parseMs);
    times.diff.push(diffMs);
  }
  const ratio = median(times.diff) / median(times.parse);
  worst = Math.max(worst, ratio);
  console.log(
    `${name}: ${operations} operations in ${median(times.diff).toFixed(1)} ms, parsing both ends ${median(times.parse).toFixed(1)} ms: ${ratio.toFixed(2)} of it`,
  );
}
console.log(`at most ${worst.toFixed(2)} times parsing both; target: at most ${MOST}`);
if (worst > MOST) process.exitCode = 1;
