import { limits } from "../../contract/limits.ts";
import { type NodeDifference, nodeDifferences } from "../../contract/values/comparisons.ts";
import { arrange } from "../merge/arrange.ts";
import { meanOf } from "../tree/hours/distribution.ts";
import { counts } from "../tree/hours/evaluate.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import { type Node, type NodeKind, pointsOf } from "../tree/shape.ts";
import type { Snapshot } from "../versions/shape.ts";

/** A node in one of the snapshots; hours are those of its own counted options, without nested nodes. */
export interface Cell {
  readonly title: string;
  readonly kind: NodeKind;
  /** Whether it is a root node, or the option above it counts. */
  readonly active: boolean;
  readonly expected: number;
  readonly countedOptions: number;
  /** The first of the options that count. */
  readonly options: { readonly optionId: string; readonly title: string; readonly expected: number }[];
}

/** A node that differs between two snapshots at least; a cell is null where a snapshot does not have it. */
export interface Row {
  readonly nodeId: string;
  readonly level: number;
  readonly differences: NodeDifference[];
  readonly cells: (Cell | null)[];
}

/** A snapshot as a whole. */
export interface Column {
  readonly hours: ReturnType<typeof summaryHours>;
  readonly cost: { readonly currency: string | null; readonly expected: number; readonly p80: number } | null;
  readonly nodes: number;
  readonly countedOptions: number;
}

/** The compared parts of a node, as text. */
type Compared = Readonly<Record<Exclude<NodeDifference, "presence">, string>>;

/** A node as it is found in a snapshot. */
interface Found {
  readonly level: number;
  readonly cell: Cell;
  readonly compared: Compared;
}

interface Read {
  readonly nodes: Map<string, Found>;
  countedOptions: number;
}

/**
 * Compares snapshots side by side: figures of each, and a row for each node that differs in its own fields or in its
 * options. The order of siblings is not compared. Rows are in the order of the first snapshot; additional nodes of
 * others follow their predecessors there. Hours and costs have two decimals. `rows` returns those from index `from` on.
 */
export function sideBySide(snapshots: readonly Snapshot[]): {
  columns: Column[];
  rowCount: number;
  rows: (from: number, limit: number) => Row[];
} {
  const reads = snapshots.map(({ tree }) => {
    const read: Read = { nodes: new Map(), countedOptions: 0 };
    enter(read, tree.nodes, { level: 1, weight: 1, active: true, parentId: null });
    return read;
  });
  let order: readonly string[] = [];
  for (const { nodes } of reads) order = arrange({ base: [], into: order, from: [...nodes.keys()] });
  const foundOf = (nodeId: string) => reads.map(({ nodes }) => nodes.get(nodeId));
  const different = order.filter((nodeId) => differencesOf(foundOf(nodeId)).length > 0);
  return {
    columns: snapshots.map((snapshot, at) => columnOf(snapshot, reads[at] as Read)),
    rowCount: different.length,
    rows: (from, limit) =>
      different.slice(from, from + limit).map((nodeId) => {
        const found = foundOf(nodeId);
        return {
          nodeId,
          level: found.find((one) => one)?.level ?? 1,
          differences: differencesOf(found),
          cells: found.map((one) => one?.cell ?? null),
        };
      }),
  };
}

function differencesOf(found: readonly (Found | undefined)[]): NodeDifference[] {
  const present = found.filter((one) => one !== undefined);
  return nodeDifferences.filter((kind) =>
    kind === "presence"
      ? present.length < found.length
      : present.some(({ compared }) => compared[kind] !== present[0]?.compared[kind]),
  );
}

function columnOf(snapshot: Snapshot, { nodes, countedOptions }: Read): Column {
  const hours = summaryHours(snapshot.tree, snapshot);
  const { hourlyRate: rate, currency } = snapshot;
  const costOf = (value: number): number => roundHundredth(value * (rate ?? 0));
  const cost = rate === null ? null : { currency, expected: costOf(hours.expected), p80: costOf(hours.p80) };
  return { hours, cost, nodes: nodes.size, countedOptions };
}

/**
 * The place of nodes. `weight` multiplies their hours; 0 with `active` is a quantity of 0, without it nothing counts.
 */
interface Place {
  readonly level: number;
  readonly weight: number;
  readonly active: boolean;
  /** The option above; null for root nodes. */
  readonly parentId: string | null;
}

/** A part of an option. */
type Listed = { readonly id: string } & Readonly<Record<string, unknown>>;

const byId = (a: Listed, b: Listed): number => (a.id < b.id ? -1 : 1);

function enter(read: Read, nodes: readonly Node[], { level, weight, active, parentId }: Place): void {
  for (const { options: all, ...node } of nodes) {
    const options: Cell["options"][number][] = [];
    const [counted, details]: [Listed[], Listed[]] = [[], []];
    let sum = 0;
    // Takes the node's place before those below it.
    read.nodes.set(node.id, PENDING);
    for (const { nodes: below, ...option } of all) {
      const isCounted = active && counts(node, option);
      const weightHere = weight * option.quantity;
      if (isCounted) {
        const points = pointsOf(option);
        const added = points ? weightHere * meanOf(points) : 0;
        sum += added;
        options.push({ optionId: option.id, title: option.title, expected: roundHundredth(added) });
      }
      const { id, title, hours, override, quantity, selected: _, ...rest } = option;
      if (isCounted) counted.push({ id, title, hours, override, quantity, weightHere });
      details.push(isCounted ? { id, rest } : { id, option });
      enter(read, below, { level: level + 1, weight: weightHere, active: isCounted, parentId: option.id });
    }
    const { title, kind, ...others } = node;
    const expected = roundHundredth(sum);
    read.countedOptions += options.length;
    read.nodes.set(node.id, {
      level,
      cell: {
        ...{ title, kind, active, expected },
        countedOptions: options.length,
        options: options.slice(0, limits.comparedOptions),
      },
      compared: {
        ...{ place: parentId ?? "", title, kind, active: String(active) },
        counted: JSON.stringify(counted.sort(byId)),
        details: JSON.stringify([others, details.sort(byId)]),
      },
    });
  }
}

const PENDING: Found = {
  level: 1,
  cell: { title: "", kind: "group", active: false, expected: 0, countedOptions: 0, options: [] },
  compared: { place: "", title: "", kind: "", active: "", counted: "", details: "" },
};
