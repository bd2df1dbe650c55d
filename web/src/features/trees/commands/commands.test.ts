import { expect, test } from "vitest";
import { rowsOf } from "../outline/rows.ts";
import type { Edit } from "../sync/edits.ts";
import { node, option } from "../testing/parts.ts";
import { hoursItems, roleItems } from "./commands.ts";

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
  items("2d-1w")[0]?.run?.();
  expect(edits[0]?.(tree)).toMatchObject({
    tree: { nodes: [{ options: [{ hours: { optimistic: 16, likely: 28, pessimistic: 40 } }] }] },
  });
});

test("a role that is typed is set for all selected options, as one command for each that may be meant", () => {
  const tree = { nodes: [node("n", "Payment", [option("o", "Card"), option("p", "Invoice")])] };
  const rows = rowsOf(tree, new Set());
  const edits: Edit[] = [];
  const items = (text: string, picked = rows) =>
    roleItems(text, ["design", "backend", "back office"], picked, (edit) => edits.push(edit));
  const labels = (text: string, picked = rows) => items(text, picked).map(({ label }) => label);
  expect(labels("backend")).toEqual([]);
  expect(labels("@back")).toEqual([
    "Set the role of 2 options to back office",
    "Set the role of 2 options to backend",
    "Set the role of 2 options to back",
  ]);
  const card = rows.filter(({ id }) => id === "o");
  expect(labels("role design", card)).toEqual(["Set the role of Card to design"]);
  expect(labels(`@${"x".repeat(100)}`, card)).toHaveLength(1);
  expect(labels(`@${"x".repeat(101)}`, card)).toEqual([]);
  // A question has no role.
  expect(labels("@back", rows.slice(0, 1))).toEqual([]);
  items("role design")[0]?.run?.();
  expect(edits[0]?.(tree)).toMatchObject({
    tree: { nodes: [{ options: [{ role: "design" }, { role: "design" }] }] },
  });
});
