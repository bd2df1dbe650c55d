import { expect, test } from "vitest";
import type { Option, Tree } from "../../../../../domain/tree/shape.ts";
import { node, option } from "../testing/parts.ts";
import { unfinished } from "./headline.ts";

const hours = { optimistic: 1, likely: 2, pessimistic: 3 };
const single = (...options: Option[]) => node("n", "Payment", options);
const group = (...options: Option[]) => node("g", "Scope", options, { kind: "group" });
const card = option("c", "Card", { hours });

test.each<readonly [string | null, string | null, Tree, number]>([
  ["1 question open", "n", { nodes: [single(card), group(card)] }, 50],
  ["1 question open, 1 option without hours", "n", { nodes: [single(), group(option("o", "Cart"))] }, 0],
  ["1 option without hours", "c", { nodes: [single({ ...card, selected: true, hours: null })] }, 0],
  [null, null, { nodes: [single({ ...card, selected: true })] }, 3],
  ["no questions yet", null, { nodes: [] }, 0],
  ["nothing chosen yet", null, { nodes: [group()] }, 0],
  ["all hours are 0", null, { nodes: [group(card)] }, 0],
])("an estimate says %s", (text, first, tree, p80) => {
  expect(unfinished(tree, p80)).toEqual(text === null ? null : { text, first });
});
