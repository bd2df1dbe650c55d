import { limits } from "../contract/limits.ts";
import { merge } from "../domain/merge/merge.ts";
import type { Node } from "../domain/tree/shape.ts";
import { diff } from "../domain/versions/diff.ts";
import type { Snapshot } from "../domain/versions/shape.ts";
import { bigTree, snapshotOf } from "./big-tree.ts";
import { median, timed } from "./timing.ts";

/** The maximum time of a merge, as a multiple of a diff of the same two trees. */
const MOST = 4;
/** The same where both sides together break rules: then the merge tries each side of the first two conflicts. */
const MOST_BROKEN = 12;
const ROUNDS = 15;

const base = bigTree().nodes;

/** The same tree with every option of these roots changed by `edit`. */
function each(isRoot: (index: number) => boolean, edit: (option: Node["options"][number]) => object): Node[] {
  const change = (nodes: readonly Node[]): Node[] =>
    nodes.map((node) => ({
      ...node,
      options: node.options.map((option) => ({ ...option, ...edit(option), nodes: change(option.nodes) })),
    }));
  return base.map((node, index) => (isRoot(index) ? (change([node])[0] as Node) : node));
}

const even = (index: number): boolean => index % 2 === 0;
const odd = (index: number): boolean => index % 2 === 1;
const all = (): boolean => true;
const renamed = { title: "Another way" };
const scenes: readonly (readonly [string, Node[], Node[]])[] = [
  ["each side changed half of the options", each(even, () => renamed), each(odd, () => renamed)],
  ["each side changed another field of every option", each(all, () => renamed), each(all, () => ({ quantity: 3 }))],
  [
    "each side removed a tenth of the roots",
    base.filter((_, at) => at % 10 !== 0),
    base.filter((_, at) => at % 10 !== 1),
  ],
  ["one side turned everything round", base.toReversed(), each(all, () => renamed)],
  ["both changed the hours of 500 options to other values", ...conflicting()],
];

function conflicting(): [Node[], Node[]] {
  const isOne = (index: number): boolean => index % 20 === 0;
  const hours = (likely: number) => () => ({ hours: { optimistic: 1, likely, pessimistic: 40 } });
  return [each(isOne, hours(20)), each(isOne, hours(30))];
}

/** 45 nodes, each with one option too many because each side adds one. */
const crowded: Node[] = base.slice(0, 45).map((node) => {
  const [option] = node.options as [Node["options"][number]];
  const options = Array.from({ length: limits.nodeOptions - 1 }, (_, at) => ({
    ...option,
    id: `${option.id}-${at}`,
    selected: false,
    requires: [],
    excludes: [],
    nodes: [],
  }));
  return { ...node, options };
});
const withOneMore = (suffix: string): Node[] =>
  crowded.map((node) => {
    const [option] = node.options as [Node["options"][number]];
    return { ...node, options: [...node.options, { ...option, id: `${option.id}-${suffix}` }] };
  });
const brokenScene = ["45 nodes with one option too many", withOneMore("mine"), withOneMore("theirs")] as const;

const worst = { merge: 0, broken: 0 };
for (const [name, ours, theirs] of [...scenes, brokenScene]) {
  const isBroken = name === brokenScene[0];
  const texts = [isBroken ? crowded : base, ours, theirs].map((nodes) => JSON.stringify(snapshotOf(nodes)));
  const times = { diff: [] as number[], merge: [] as number[] };
  let outcome = "";
  for (let round = -3; round < ROUNDS; round += 1) {
    const [start, into, from] = texts.map((text) => JSON.parse(text) as Snapshot) as [Snapshot, Snapshot, Snapshot];
    const diffMs = timed(() => void diff(into, from));
    const mergeMs = timed(() => {
      const result = merge({ bases: [start], into, from });
      outcome = result.ok ? "merged" : `${result.conflicts?.length} conflicts`;
    });
    // The first rounds are warm-up for the compiler.
    if (round < 0) continue;
    times.diff.push(diffMs);
    times.merge.push(mergeMs);
  }
  const ratio = median(times.merge) / median(times.diff);
  const kind = isBroken ? "broken" : "merge";
  worst[kind] = Math.max(worst[kind], ratio);
  console.log(
    `${name}: ${outcome} in ${median(times.merge).toFixed(1)} ms, a diff ${median(times.diff).toFixed(1)} ms: ${ratio.toFixed(2)} of it`,
  );
}
console.log(`at most ${worst.merge.toFixed(2)} times one diff; target: at most ${MOST}`);
console.log(`with broken rules ${worst.broken.toFixed(2)} times one diff; target: at most ${MOST_BROKEN}`);
if (worst.merge > MOST || worst.broken > MOST_BROKEN) process.exitCode = 1;
