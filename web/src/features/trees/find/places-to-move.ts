import type { Row } from "../outline/rows.ts";
import type { Target } from "./places.ts";

/** Where something that is moved can be put, among the lines that show. */
export interface Place extends Target {
  /** It comes above the line of this number; the number of lines for the end. */
  readonly line: number;
  readonly depth: number;
  /** What it comes after; null for the first. */
  readonly afterId: string | null;
}

/**
 * Returns every place where the line `id` can be put, from the top down: questions go to the top or below an option,
 * options into a question; never below themselves, nor where they are already.
 */
export function placesFor(rows: readonly Row[], id: string): Place[] {
  const at = rows.findIndex((row) => row.id === id);
  const moved = rows[at];
  if (!moved) return [];
  const ends = endsOf(rows);
  const end = ends[at] ?? at;
  const isInside = (index: number) => index >= at && index < end;
  const parents: readonly { readonly index: number; readonly row: Row | null }[] = [
    ...(moved.option ? [] : [{ index: -1, row: null }]),
    ...rows.flatMap((row, index) =>
      (row.option === null) === (moved.option === null) || isInside(index) ? [] : [{ index, row }],
    ),
  ];
  return parents
    .flatMap(({ index, row }) => placesBelow(rows, ends, { index, parent: row, moved }))
    .sort((one, other) => one.line - other.line || other.depth - one.depth);
}

interface Below {
  /** The line of `parent`; −1 for the top. */
  readonly index: number;
  readonly parent: Row | null;
  readonly moved: Row;
}

/** Returns the places among what is below a line, or at the top for null. */
function placesBelow(rows: readonly Row[], ends: readonly number[], { index, parent, moved }: Below): Place[] {
  const parentId = parent?.id ?? null;
  const depth = parent ? parent.depth + 1 : 0;
  const isHome = moved.parentId === parentId;
  const places: Place[] = [];
  let position = 0;
  let afterId: string | null = null;
  let line = index + 1;
  const add = () => {
    // Before and behind itself it is where it was.
    if (!isHome || position !== moved.index) places.push({ line, depth, parentId, position, afterId });
  };
  if (parent && !parent.isOpen) {
    position = childrenOf(parent);
    add();
    return places;
  }
  while (line < rows.length) {
    const child = rows[line];
    if (!child || child.parentId !== parentId) break;
    const next = ends[line] ?? rows.length;
    if (child.id !== moved.id) {
      add();
      position += 1;
      afterId = child.id;
    }
    line = next;
  }
  add();
  return places;
}

const childrenOf = ({ node, option }: Row): number => (option ? option.nodes : node.options).length;

/** Returns for each line the number of the line behind everything below it. */
function endsOf(rows: readonly Row[]): number[] {
  const ends: number[] = rows.map(() => rows.length);
  const open: number[] = [];
  for (const [at, { depth }] of rows.entries()) {
    while (open.length > 0 && (rows[open.at(-1) ?? 0]?.depth ?? 0) >= depth) ends[open.pop() ?? 0] = at;
    open.push(at);
  }
  return ends;
}

/** Returns the place nearest to a point: first by its line, then by how far it is indented. */
export function nearestPlace(places: readonly Place[], line: number, depth: number): Place | undefined {
  let best: Place | undefined;
  const farness = (place: Place) => Math.abs(place.line - line) * 100 + Math.abs(place.depth - depth);
  for (const place of places) if (best === undefined || farness(place) < farness(best)) best = place;
  return best;
}
