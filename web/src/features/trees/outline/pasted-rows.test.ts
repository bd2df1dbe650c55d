import { expect, test } from "vitest";
import { node, option } from "../testing/parts.ts";
import { addPasted, type Decimal, linesOf, readCells as readAll } from "./pasted-rows.ts";
import { rowsOf } from "./rows.ts";

const hours = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });
const readCells = (text: string, decimal: Decimal | null) => readAll(linesOf(text), decimal);
const plain = { quantity: 1, role: null, fault: null };

test("cells of a spreadsheet are read as title, low, likely, high, quantity and role", () => {
  const text =
    'Task\tLow\tLikely\tHigh\n"A ""good""\nlist"\t4\t16\t34\t3\tbackend\r\nCart\t2d-1w\nSearch\t8\nTitle only\n\n';
  expect(readCells(text, null)).toEqual({
    question: null,
    rows: [
      { ...plain, title: 'A "good" list', points: hours(4, 16, 34), quantity: 3, role: "backend" },
      { ...plain, title: "Cart", points: hours(16, 28, 40) },
      { ...plain, title: "Search", points: hours(8, 8, 8) },
      { ...plain, title: "Title only", points: null },
    ],
  });
});

test("a number with two readings is asked about, once for all", () => {
  const text = "Cart\t1,250\t2,500\t3,750";
  expect(readCells(text, null).question).toEqual({ text: "1,250", readings: { ".": "1250", ",": "1.25" } });
  expect(readCells(text, ".").rows[0]?.points).toEqual(hours(1250, 2500, 3750));
  expect(readCells(text, ",").rows[0]?.points).toEqual(hours(1.25, 2.5, 3.75));
});

test("lines that cannot be taken say why, and only the others are added, after the option", () => {
  const { rows } = readCells("\t4\nCart\tmany\nSearch\t9\t8\t7\nList\t4\t5\t6", null);
  expect(rows.map(({ fault }) => fault)).toEqual([
    "No title",
    "Hours can’t be read",
    "Low, Likely and High aren’t in order",
    null,
  ]);
  const tree = { nodes: [node("n", "Payment", [option("a", "A"), option("b", "B")])] };
  const [, row] = rowsOf(tree, new Set());
  if (!row) throw new Error("no row");
  const outcome = addPasted(row, rows, ["c"])(tree);
  expect(outcome.ok && outcome.tree.nodes[0]?.options.map(({ id, title }) => `${id} ${title}`)).toEqual([
    "a A",
    "c List",
    "b B",
  ]);
});
