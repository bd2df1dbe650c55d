import { expect, test } from "vitest";
import type { Node, Option, Tree } from "../../../../domain/tree/shape.ts";
import { changedLines } from "./changed-lines.ts";

const option = (id: string, title: string, nodes: Node[] = []) => ({ id, title, nodes }) as Option;
const node = (id: string, title: string, options: Option[]) => ({ id, title, options }) as Node;
const tree = (title: string, inner: string, ...more: Option[]): Tree => ({
  nodes: [node("n1", "Scope", [option("o1", title, [node("n2", inner, [])]), ...more])],
});

test("a line is changed by its own fields, not by what is below it", () => {
  const before = tree("Shop", "Payment");
  expect(changedLines(before, tree("Shop", "Payment"))).toEqual([]);
  expect(changedLines(before, tree("Shop", "Invoice"))).toEqual(["n2"]);
  expect(changedLines(before, tree("Web shop", "Payment"))).toEqual(["o1"]);
  expect(changedLines(before, tree("Shop", "Payment", option("o2", "Search")))).toEqual(["o2"]);
  expect(changedLines(tree("Shop", "Payment", option("o2", "Search")), before)).toEqual([]);
});

test("the order of fields, which merging changes, is no change", () => {
  const line = { ...option("o1", "Shop"), hours: { optimistic: 1, likely: 2, pessimistic: 3 } };
  const turned = { hours: { pessimistic: 3, likely: 2, optimistic: 1 }, nodes: [], title: "Shop", id: "o1" };
  const of = (each: object): Tree => ({ nodes: [node("n1", "Scope", [each as Option])] });
  expect(changedLines(of(line), of(turned))).toEqual([]);
  expect(changedLines(of(line), of({ ...turned, hours: { ...turned.hours, likely: 1 } }))).toEqual(["o1"]);
});
