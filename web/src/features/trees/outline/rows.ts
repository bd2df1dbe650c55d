import { meanOf } from "../../../../../domain/tree/hours/distribution.ts";
import { counts } from "../../../../../domain/tree/hours/evaluate.ts";
import { type Node, type Option, pointsOf, type Tree } from "../../../../../domain/tree/shape.ts";
import { fieldNumber } from "../../../ui/numbers/format.ts";

/** A line of the outline: a question, or an option of it. */
export interface Row {
  readonly id: string;
  /** Its place in the outline, from 0. */
  readonly at: number;
  readonly node: Node;
  /** Null for the question itself. */
  readonly option: Option | null;
  /** How far it is indented; 0 for a question at the top. */
  readonly depth: number;
  readonly parentId: string | null;
  /** Place among its siblings, and their number. */
  readonly index: number;
  readonly siblings: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  /** By which the hours count: of an option its quantity and those of the options above it, of a question the latter. */
  readonly weight: number;
  /** A question that has to be answered, or an option whose hours count. */
  readonly isActive: boolean;
}

/**
 * Returns the lines of the outline, without what is below closed ones; with a filter those that it leaves, whether closed
 * or not.
 */
export function rowsOf({ nodes }: Tree, closed: ReadonlySet<string>, filter: ReadonlySet<string> | null = null): Row[] {
  const rows: Row[] = [];
  const shows = (id: string) => filter === null || filter.has(id);
  const opens = (id: string) => filter !== null || !closed.has(id);
  const add = (
    list: readonly Node[],
    depth: number,
    parentId: string | null,
    weight: number,
    isActive: boolean,
  ): void => {
    for (const [index, node] of list.entries()) {
      if (!shows(node.id)) continue;
      const isOpen = opens(node.id);
      const hasChildren = node.options.length > 0;
      rows.push({
        id: node.id,
        at: rows.length,
        node,
        option: null,
        depth,
        parentId,
        index,
        siblings: list.length,
        hasChildren,
        isOpen,
        weight,
        isActive,
      });
      if (isOpen) addOptions(node, depth + 1, weight, isActive);
    }
  };
  const addOptions = (node: Node, depth: number, nodeWeight: number, isNodeActive: boolean): void => {
    for (const [index, option] of node.options.entries()) {
      if (!shows(option.id)) continue;
      const isOpen = opens(option.id);
      const weight = nodeWeight * option.quantity;
      const isActive = isNodeActive && counts(node, option);
      rows.push({
        id: option.id,
        at: rows.length,
        node,
        option,
        depth,
        parentId: node.id,
        index,
        siblings: node.options.length,
        hasChildren: option.nodes.length > 0,
        isOpen,
        weight,
        isActive,
      });
      if (isOpen) add(option.nodes, depth + 1, option.id, weight, isActive);
    }
  };
  add(nodes, 0, null, 1, true);
  return rows;
}

/** Returns whether both lines show the same; an edit makes new lines of all, also of those that it did not touch. */
export function isSameRow(one: Row, other: Row): boolean {
  if (one === other) return true;
  const names = Object.keys(one) as (keyof Row)[];
  return names.every((name) => one[name] === other[name]);
}

/** By which each level is indented, in pixels. */
export const INDENT = 18;
/** What folds a line is as wide, with the gap behind it; others have nothing there. */
const FOLD = 26;

/** Returns how far a title is indented, in pixels. */
export const indentOf = ({ depth, hasChildren }: Row): number => 4 + depth * INDENT + (hasChildren ? 0 : FOLD);

/** What the columns after the title hold. */
export const POINTS = ["optimistic", "likely", "pessimistic"] as const;

/** The last column that is typed into, in lines of options. */
export const LAST_COLUMN = POINTS.length;

/** Returns what a cell says, as it is typed. */
export function valueAt({ node, option }: Row, column: number): string {
  if (option === null) return node.title;
  const point = POINTS[column - 1];
  return point === undefined ? option.title : fieldNumber(pointsOf(option)?.[point]);
}

/** Returns the expected hours of an option by itself, as often as it is done; null without any. */
export function expectedOf({ option, weight }: Row): number | null {
  const points = option && pointsOf(option);
  return points && meanOf(points) * weight;
}

/** Returns the largest high hours of all options, for a scale of all that stays while lines are closed. */
export function highestOf({ nodes }: Tree): number {
  let highest = 1;
  const visit = (list: readonly Node[], weight: number): void => {
    for (const option of list.flatMap(({ options }) => options)) {
      const times = weight * option.quantity;
      highest = Math.max(highest, (pointsOf(option)?.pessimistic ?? 0) * times);
      visit(option.nodes, times);
    }
  };
  visit(nodes, 1);
  return highest;
}
