import { findNode, findOption } from "../../../../../domain/tree/edit/locate.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import type { Refused } from "../../../ui/numbers/number-fault.tsx";

/** What was typed into a cell and cannot be taken: it stays there until it is corrected or given up. */
export interface RefusedCell {
  readonly text: string;
  readonly fault: Refused;
}

/** The refused cells of a line, by column. */
export type RefusedRow = Readonly<Record<number, RefusedCell>>;

/** The lines with refused cells, by id. */
export type RefusedCells = Readonly<Record<string, RefusedRow>>;

/** Puts a refused cell at its place, or takes it from there with null. */
export function withRefused(
  cells: RefusedCells,
  id: string,
  column: number,
  refused: RefusedCell | null,
): RefusedCells {
  const { [column]: _cell, ...others } = cells[id] ?? {};
  const { [id]: _row, ...rows } = cells;
  const row = refused ? { ...others, [column]: refused } : others;
  return Object.keys(row).length > 0 ? { ...rows, [id]: row } : rows;
}

/** Returns the cells of lines that are still there. */
export const refusedIn = (cells: RefusedCells, tree: Tree): RefusedCells =>
  Object.fromEntries(Object.entries(cells).filter(([id]) => findOption(tree, id) ?? findNode(tree, id)));
