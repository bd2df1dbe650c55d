import { expect, test } from "vitest";
import type { ThreePoint } from "../../../../../domain/tree/shape.ts";
import { node, option } from "../testing/parts.ts";
import type { Content, Own } from "./content.ts";
import { changeBy, mergeContents } from "./merge-contents.ts";

const own: Own = {
  title: "Shop",
  description: "",
  assumptions: "",
  clientName: null,
  tags: [],
  hourlyRate: null,
  currency: null,
  correlation: 0.2,
  rounding: 0.01,
};

const points = (hours: number): ThreePoint => ({ optimistic: hours, likely: hours, pessimistic: hours });

/** A tree with two options of these hours; null leaves the cart out. */
const content = (cart: number | null, list: number): Content => ({
  own,
  tree: {
    nodes: [
      node("node_a", "Screens", [
        ...(cart === null ? [] : [option("opt_cart", "Cart", { hours: points(cart) })]),
        option("opt_list", "List", { hours: points(list) }),
      ]),
    ],
  },
});

const hoursOf = ({ tree }: Content) => tree.nodes[0]?.options.map(({ title, hours }) => [title, hours?.likely]);

test("undoing beside others' changes keeps theirs, and takes back one's own", () => {
  const [before, after] = [content(8, 2), content(12, 2)];
  expect(changeBy(after, after, before)).toEqual({ content: before, isWhole: true });
  const beside = changeBy(content(12, 3), after, before);
  expect(hoursOf(beside.content)).toEqual([
    ["Cart", 8],
    ["List", 3],
  ]);
  expect(beside.isWhole).toBe(true);
});

test("undoing what somebody else has changed since keeps their change, and says so", () => {
  const clashing = changeBy(content(11, 2), content(12, 2), content(8, 2));
  expect(hoursOf(clashing.content)).toEqual([
    ["Cart", 11],
    ["List", 2],
  ]);
  expect(clashing.isWhole).toBe(false);
  // Added here, changed by somebody else: undoing that it was added deletes nothing of theirs.
  const added = changeBy(content(9, 2), content(8, 2), content(null, 2));
  expect(hoursOf(added.content)).toEqual([
    ["Cart", 9],
    ["List", 2],
  ]);
  expect(added.isWhole).toBe(false);
  // And one step of two changes takes back the one that nobody touched.
  const partly = changeBy(content(11, 5), content(12, 5), content(8, 2));
  expect(hoursOf(partly.content)).toEqual([
    ["Cart", 11],
    ["List", 2],
  ]);
  expect(partly.isWhole).toBe(false);
});

test("of tags, additions and removals of both sides apply", () => {
  const tagged = (...tags: string[]): Content => ({ ...content(8, 2), own: { ...own, tags } });
  const merged = mergeContents({ base: tagged("a", "b"), into: tagged("a", "b", "c"), from: tagged("b", "d") });
  expect(merged).toMatchObject({ ok: true, content: { own: { tags: ["b", "c", "d"] } } });
});
