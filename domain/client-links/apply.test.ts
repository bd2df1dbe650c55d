import { expect, test } from "vitest";
import { type Tree, walk } from "../tree/shape.ts";
import { plant } from "../tree/testing/trees.ts";
import { withChoice } from "./apply.ts";

const tree = plant([
  { title: "Payment", kind: "single", options: [{ title: "Card", selected: true }, { title: "Invoice" }] },
  { title: "Extras", kind: "multi", options: [{ title: "Search" }, { title: "Export", selected: true }] },
  { title: "Base", kind: "group", options: [{ title: "Set-up" }] },
]);

/** The tree with these options of questions selected, and no others. */
function choosing(of: Tree, ...titles: string[]): Tree {
  const copy = structuredClone(of);
  walk(copy.nodes, {
    option: (option, _, { kind }) => {
      if (kind !== "group") option.selected = titles.includes(option.title);
    },
  });
  return copy;
}

const selectedIn = (of: Tree): string[] => {
  const titles: string[] = [];
  walk(of.nodes, { option: ({ title, selected }) => void (selected && titles.push(title)) });
  return titles;
};

test("what a client has chosen is selected, and nothing else of the questions that were asked", () => {
  expect(selectedIn(withChoice(tree, choosing(tree, "Invoice", "Search")))).toEqual(["Invoice", "Search"]);
  expect(withChoice(tree, tree)).toEqual(tree);
});

test("what has been added since stays as it is, but for another answer to the same question", () => {
  const newer = structuredClone(tree);
  const added = plant([{ title: "n", kind: "multi", options: [{ title: "New", selected: true }] }]).nodes[0]
    ?.options[0];
  for (const node of newer.nodes.slice(0, 2)) if (added) node.options.push({ ...added, id: `${node.id}-new` });
  expect(selectedIn(withChoice(newer, choosing(tree, "Invoice")))).toEqual(["Invoice", "New"]);
});

test("what has been removed since is left out", () => {
  const fewer = structuredClone(tree);
  fewer.nodes[0]?.options.pop();
  expect(selectedIn(withChoice(fewer, choosing(tree, "Invoice", "Search")))).toEqual(["Card", "Search"].slice(1));
});
