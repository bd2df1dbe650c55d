import { expect, test } from "vitest";
import { hoursItems } from "./commands.ts";
import { rowsOf } from "./grid/rows.ts";
import type { Edit } from "./saving/edits.ts";
import { node, option } from "./testing/parts.ts";

test("hours that are typed into the list of commands are set, one command for each reading", () => {
  const tree = { nodes: [node("n", "Payment", [option("o", "Card")])] };
  const row = rowsOf(tree, new Set()).find(({ id }) => id === "o");
  if (!row) throw new Error("no row");
  const edits: Edit[] = [];
  const items = (text: string, isPasted = false) => hoursItems({ text, isPasted }, row, (edit) => edits.push(edit));
  expect(items("card")).toEqual([]);
  expect(items("4 16 34").map(({ label }) => label)).toEqual(["Set the hours of Card to 4-16-34"]);
  expect(items("1,250", true).map(({ label }) => label)).toEqual([
    "Set the hours of Card to 1250-1250-1250",
    "Set the hours of Card to 1.25-1.25-1.25",
  ]);
  items("2d-1w")[0]?.run();
  expect(edits[0]?.(tree)).toMatchObject({
    tree: { nodes: [{ options: [{ hours: { optimistic: 16, likely: 28, pessimistic: 40 } }] }] },
  });
});
