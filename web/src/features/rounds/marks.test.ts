import { expect, test } from "vitest";
import { node, option } from "../trees/testing/parts.ts";
import { markRound, stepFrom } from "./marks.ts";

const hours = { optimistic: 4, likely: 16, pessimistic: 34 };
const deep = option("deep", "Deep", { hours });
const tree = {
  nodes: [
    node("payment", "Payment", [
      option("card", "Card", { hours, nodes: [node("shops", "Shops", [deep])] }),
      option("bill", "Bill"),
    ]),
    node("pages", "Pages", [option("cart", "Cart")]),
  ],
};

test("only what is estimated shows, with what is above it, and no hours but the reader's own", () => {
  const { tree: shown, marks } = markRound(
    tree,
    ["deep", "bill"],
    new Map([["bill", { hours: { optimistic: 1, likely: 2, pessimistic: 3 }, isUnsent: false }]]),
  );
  expect(shown.nodes.map(({ id }) => id)).toEqual(["payment"]);
  const [card, bill] = shown.nodes[0]?.options ?? [];
  expect([card?.id, card?.hours, card?.nodes[0]?.options[0]?.id, card?.nodes[0]?.options[0]?.hours]).toEqual([
    "card",
    null,
    "deep",
    null,
  ]);
  expect(bill?.hours).toEqual({ optimistic: 1, likely: 2, pessimistic: 3 });
  expect([...marks].map(([id, { kinds }]) => [id, kinds])).toEqual([["bill", ["estimated"]]]);
});

test("what is skipped and what is not sent yet is marked so", () => {
  const said = new Map([
    ["bill", { hours: null, isUnsent: false }],
    ["cart", { hours, isUnsent: true }],
  ]);
  const { marks } = markRound(tree, ["bill", "cart"], said);
  expect([...marks.values()].map(({ kinds }) => kinds)).toEqual([["skipped"], ["unsent"]]);
  const typed = markRound(
    tree,
    ["bill", "cart"],
    new Map([["bill", { hours, isUnsent: false }]]),
    new Set(["bill", "cart"]),
  );
  expect([...typed.marks.values()].map(({ kinds }) => kinds)).toEqual([["estimated", "typed"], ["typed"]]);
});

test("forwards begins anew after the last option, backwards ends at the first", () => {
  const all = ["a", "b", "c"];
  expect([stepFrom(all, "a", 1), stepFrom(all, "c", 1), stepFrom(all, "b", -1), stepFrom(all, "a", -1)]).toEqual([
    "b",
    "a",
    "a",
    undefined,
  ]);
  expect(stepFrom(all, "b", 1, (id) => id === "a")).toBe("a");
  expect(stepFrom(all, "b", 1, (id) => id === "b")).toBeUndefined();
});
