import { expect, test } from "vitest";
import { node, option } from "../trees/testing/parts.ts";
import { candidatesOf } from "./candidates.ts";

const tree = {
  nodes: [
    node("payment", "Payment", [option("card", "Card"), option("bill", "Bill")]),
    node("pages", "Pages", [option("cart", "Cart"), option("list", "List")]),
  ],
};
const share = (optionId: string, of: number) => ({ optionId, title: "", share: of });

test("options that make the total most uncertain come first, the others in tree order", () => {
  const all = candidatesOf(tree, [share("cart", 0.7), share("bill", 0.3)]);
  expect(all.map(({ id, question }) => `${question}: ${id}`)).toEqual([
    "Pages: cart",
    "Payment: bill",
    "Payment: card",
    "Pages: list",
  ]);
});
