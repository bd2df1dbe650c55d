import { hierarchy, tree as layout } from "d3-hierarchy";
import type { Row } from "../outline/rows.ts";

export const CARD_WIDTH = 216;
export const CARD_HEIGHT = 36;
const GAP_X = 48;
const GAP_Y = 10;

/** Where a line of the outline stands on the map, in pixels from its top left corner. */
export interface Card {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
}

interface Branch {
  readonly row: Row | null;
  readonly children: readonly Branch[];
}

/** Places the lines that show from left to right, everything right of what holds it; none overlaps another. */
export function cardsOf(rows: readonly Row[]): Card[] {
  const below = Map.groupBy(rows, ({ parentId }) => parentId);
  const branchOf = (row: Row | null): Branch => ({ row, children: (below.get(row?.id ?? null) ?? []).map(branchOf) });
  const root = hierarchy(branchOf(null), ({ children }) => [...children]);
  const placed = layout<Branch>()
    .nodeSize([CARD_HEIGHT + GAP_Y, CARD_WIDTH + GAP_X])
    .separation(() => 1)(root);
  const cards: Card[] = [];
  placed.each(({ data, x, y }) => {
    if (data.row) cards.push({ row: data.row, x: y - (CARD_WIDTH + GAP_X), y: x });
  });
  return cards;
}
