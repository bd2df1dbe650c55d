import { limits } from "../../contract/limits.ts";
import { arrange } from "../merge/arrange.ts";
import { meanOf } from "../tree/distribution.ts";
import { counts } from "../tree/evaluate.ts";
import { summaryHours } from "../tree/roll-up.ts";
import { roundHundredth } from "../tree/round.ts";
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
  /** The first of those that count. */
  readonly options: { readonly optionId: string; readonly title: string; readonly expected: number }[];
}

/** A node that differs between two snapshots at least; a cell is null where a snapshot does not have it. */
export interface Row {
  readonly nodeId: string;
  readonly level: number;
  readonly cells: (Cell | null)[];
}

/** A snapshot as a whole. */
export interface Column {
  readonly hours: ReturnType<typeof summaryHours>;
  readonly cost: { readonly currency: string | null; readonly expected: number; readonly p80: number } | null;
  readonly nodes: number;
  readonly countedOptions: number;
}

interface Read {
  readonly cells: Map<string, Cell & { readonly level: number; readonly key: string }>;
  countedOptions: number;
}

/**
 * Puts snapshots side by side: figures of each, and a row for each node whose title, kind, counted options or own hours
 * differ. Rows are in the order of the first snapshot, with what others have more after its predecessor there; at most
 * `limits.comparedNodes` of `rowCount`. Hours and costs have two decimals.
 */
export function sideBySide(snapshots: readonly Snapshot[]): { columns: Column[]; rows: Row[]; rowCount: number } {
  const reads = snapshots.map(({ tree }) => {
    const read: Read = { cells: new Map(), countedOptions: 0 };
    enter(read, tree.nodes, 1, 1);
    return read;
  });
  let order: readonly string[] = [];
  for (const { cells } of reads) order = arrange({ base: [], into: order, from: [...cells.keys()] });
  const different = order.filter((id) => new Set(reads.map(({ cells }) => cells.get(id)?.key)).size > 1);
  return {
    columns: snapshots.map((snapshot, at) => columnOf(snapshot, reads[at] as Read)),
    rows: different.slice(0, limits.comparedNodes).map((nodeId) => {
      const found = reads.map(({ cells }) => cells.get(nodeId));
      return {
        nodeId,
        level: found.find((cell) => cell)?.level ?? 1,
        cells: found.map((cell) => {
          if (!cell) return null;
          const { level: _, key: __, ...shown } = cell;
          return { ...shown, options: shown.options.slice(0, limits.comparedOptions) };
        }),
      };
    }),
    rowCount: different.length,
  };
}

function columnOf(snapshot: Snapshot, { cells, countedOptions }: Read): Column {
  const hours = summaryHours(snapshot.tree, snapshot);
  const { hourlyRate: rate, currency } = snapshot;
  const costOf = (value: number): number => roundHundredth(value * (rate ?? 0));
  const cost = rate === null ? null : { currency, expected: costOf(hours.expected), p80: costOf(hours.p80) };
  return { hours, cost, nodes: cells.size, countedOptions };
}

/** `weight` is what multiplies the hours of these nodes; 0 with `active` is a quantity of 0, without it nothing counts. */
function enter(read: Read, nodes: readonly Node[], level: number, weight: number, active = true): void {
  for (const node of nodes) {
    const options: { optionId: string; title: string; expected: number }[] = [];
    let sum = 0;
    // Takes the node's place before those below it.
    read.cells.set(node.id, PENDING);
    for (const option of node.options) {
      const isCounted = active && counts(node, option);
      const weightHere = weight * option.quantity;
      if (isCounted) {
        const points = pointsOf(option);
        const hours = points ? weightHere * meanOf(points) : 0;
        sum += hours;
        options.push({ optionId: option.id, title: option.title, expected: roundHundredth(hours) });
      }
      enter(read, option.nodes, level + 1, weightHere, isCounted);
    }
    const { title, kind } = node;
    const expected = roundHundredth(sum);
    const key = JSON.stringify([title, kind, active, expected, options]);
    read.countedOptions += options.length;
    read.cells.set(node.id, { title, kind, active, expected, countedOptions: options.length, options, level, key });
  }
}

const PENDING = {
  title: "",
  kind: "group" as const,
  active: false,
  expected: 0,
  countedOptions: 0,
  options: [],
  level: 1,
  key: "",
} satisfies Cell & { level: number; key: string };
