import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsOf, type Tree } from "../../../../../domain/tree/shape.ts";
import { type Row, rowsOf } from "../outline/rows.ts";
import { node, option } from "../testing/parts.ts";
import { matchesOf } from "./filter.ts";
import { moveTo, placeInside, placeOutside } from "./places.ts";
import { nearestPlace, placesFor } from "./places-to-move.ts";

const tree: Tree = {
  nodes: [
    node("pay", "Payment", [
      option("card", "Card", { nodes: [node("risk", "Risk", [option("rules", "Rules")])] }),
      option("bill", "Invoice"),
    ]),
    node("shop", "Screens", [option("cart", "Cart"), option("list", "List")], { kind: "group" }),
  ],
};
const rowOf = (id: string, rows: readonly Row[]): Row => {
  const row = rows.find((each) => each.id === id);
  if (!row) throw new Error(id);
  return row;
};
/** Returns the titles in their order, each indented by its level. */
const linesOf = (shown: Tree) =>
  rowsOf(shown, new Set()).map(({ depth, node: { title }, option: it }) => `${"-".repeat(depth)}${it?.title ?? title}`);

describe("where a line can be put", () => {
  test("questions go to the top or below options, options into questions, nothing below itself or where it is", () => {
    const rows = rowsOf(tree, new Set());
    expect(placesFor(rows, "shop").map(({ parentId, position }) => [parentId, position])).toEqual([
      [null, 0],
      ["card", 0],
      ["rules", 0],
      ["card", 1],
      ["bill", 0],
    ]);
    expect(placesFor(rows, "pay").map(({ parentId }) => parentId)).toEqual(["cart", "list", null]);
    expect(placesFor(rows, "cart").filter(({ parentId }) => parentId === "shop")).toEqual([
      { line: 8, depth: 1, parentId: "shop", position: 1, afterId: "list" },
    ]);
  });

  test("every place works as shown: the line is there afterwards, and nothing is lost", () => {
    const ids = [...idsOf(tree.nodes).nodes, ...idsOf(tree.nodes).options];
    for (const closed of [new Set<string>(), new Set(["card", "shop"])]) {
      const rows = rowsOf(tree, closed);
      for (const { id } of rows) {
        const row = rowOf(id, rows);
        for (const place of placesFor(rows, id)) {
          const outcome = moveTo(row, place)(tree);
          if (!outcome.ok) throw new Error(`${id} to ${JSON.stringify(place)}`);
          const moved = rowOf(id, rowsOf(outcome.tree, new Set()));
          expect([moved.parentId, moved.index]).toEqual([place.parentId, place.position]);
          const after = idsOf(outcome.tree.nodes);
          expect([...after.nodes, ...after.options].sort()).toEqual([...ids].sort());
        }
      }
    }
  });

  test("in and out are one level, and lead back", () => {
    const rows = rowsOf(tree, new Set());
    const inside = placeInside(rows, rowOf("shop", rows));
    expect(inside).toMatchObject({ parentId: "bill", position: 0 });
    if (!inside) return;
    const outcome = moveTo(rowOf("shop", rows), inside)(tree);
    if (!outcome.ok) throw new Error("refused");
    expect(linesOf(outcome.tree).slice(-4)).toEqual(["-Invoice", "--Screens", "---Cart", "---List"]);
    const then = rowsOf(outcome.tree, new Set());
    const back = placeOutside(then, rowOf("shop", then));
    if (!back) throw new Error("no way out");
    const home = moveTo(rowOf("shop", then), back)(outcome.tree);
    expect(home.ok && linesOf(home.tree)).toEqual(linesOf(tree));
    expect(placeOutside(rows, rowOf("pay", rows))).toBeUndefined();
    expect(placeInside(rows, rowOf("pay", rows))).toBeUndefined();
    expect(placeInside(rows, rowOf("bill", rows))).toMatchObject({ parentId: "risk", position: 1 });
    expect(placeOutside(rows, rowOf("rules", rows))).toMatchObject({ parentId: "pay", position: 1 });
  });

  test("the pointer chooses the nearest line first, then the level", () => {
    const places = placesFor(rowsOf(tree, new Set()), "bill");
    expect(nearestPlace(places, 0, 0)?.line).toBe(1);
    expect(nearestPlace(places, 100, 0)).toMatchObject({ parentId: "shop" });
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 40 }), fc.double({ min: -2, max: 12, noNaN: true }), (line, depth) => {
        const nearest = nearestPlace(places, line, depth);
        const far = (place: { line: number }) => Math.abs(place.line - line);
        expect(nearest && far(nearest)).toBe(Math.min(...places.map(far)));
      }),
    );
  });
});

describe("the filter", () => {
  const shown = (query: string) => {
    const matches = matchesOf(tree, query);
    return rowsOf(tree, new Set(["pay", "card"]), matches).map(({ id }) => id);
  };

  test("leaves what has all its words, what is above that, and what is below", () => {
    expect(shown("RULES")).toEqual(["pay", "card", "risk", "rules"]);
    expect(shown("card")).toEqual(["pay", "card", "risk", "rules"]);
    expect(shown("scr")).toEqual(["shop", "cart", "list"]);
    expect(shown("cart list")).toEqual([]);
  });

  test("without words leaves all, with closed lines closed", () => {
    expect(matchesOf(tree, "  ")).toBeNull();
    expect(shown("")).toEqual(["pay", "shop", "cart", "list"]);
  });
});
