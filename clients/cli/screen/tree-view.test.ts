import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tree } from "../../../contract/values/tree.ts";
import { presentHours } from "../../../domain/tree/hours/present-hours.ts";
import { rollUp } from "../../../domain/tree/hours/roll-up.ts";
import { plant, trees } from "../../../domain/tree/testing/trees.ts";
import { bar } from "./figures.ts";
import { widthOf } from "./text.ts";
import { treeLines } from "./tree-view.ts";

const hoursOf = (tree: Tree) => presentHours(rollUp(tree, { correlation: 0.2, hourlyRate: null, currency: null }));

const linesOf = (tree: Tree, width: number, ids = false) =>
  treeLines({ nodes: tree.nodes, hours: hoursOf(tree), width, ids });

const three = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });

const shop = plant([
  {
    title: "Payment",
    kind: "single",
    required: true,
    options: [
      {
        title: "Card",
        selected: true,
        hours: three(4, 16, 34),
        nodes: [{ title: "Extras", kind: "multi", max: 2, options: [{ title: "Refunds", hours: three(8, 9, 10) }] }],
      },
      { title: "Invoice", hours: 6 },
    ],
  },
  {
    title: "Screens",
    kind: "group",
    options: [{ title: "Form", hours: three(3, 4.5, 8), quantity: 9, unit: "screen" }],
  },
]);

test("a tree shows what is selected, hours with quantities, sums, and ranges on one scale", () => {
  expect(linesOf(shop, 80)).toEqual([
    "                                                   hours  0                 72 h",
    "Payment (choose one, required)                      Σ 17",
    `  ● Card                                         4–16–34${barOf(true, 4, 16, 34)}`,
    "    Extras (choose any, max 2)                       Σ 0",
    `      □ Refunds                                   8–9–10${barOf(false, 8, 9, 10)}`,
    `  ○ Invoice                                            6${barOf(false, 6, 6, 6)}`,
    "Screens (all)                                     Σ 43.5",
    `  · Form ×9 screen                            27–40.5–72${barOf(true, 27, 40.5, 72)}`,
  ]);
});

function barOf(counts: boolean, ...[optimistic, likely, pessimistic]: readonly [number, number, number]): string {
  return `  ${bar(three(optimistic, likely, pessimistic), { most: 72, width: 22, counts })}`.trimEnd();
}

describe("no line is wider than the terminal", () => {
  test("whatever the tree and its titles", () => {
    const titles = fc.constantFrom(
      "Card",
      "A title that is much longer than any column of a terminal has room for",
      "漢字漢字漢字".repeat(9),
    );
    const width = fc.integer({ min: 40, max: 120 });
    fc.assert(
      fc.property(trees, fc.array(titles, { minLength: 1 }), width, fc.boolean(), (tree, texts, columns, ids) => {
        let next = 0;
        const renamed = JSON.parse(JSON.stringify(tree), (name, value) =>
          name === "title" ? texts[next++ % texts.length] : value,
        ) as Tree;
        expect(Math.max(...linesOf(renamed, columns, ids).map(widthOf))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test("also if it is as deep as a tree can be", () => {
    let nodes: Parameters<typeof plant>[0] = [];
    for (let depth = 0; depth < 8; depth += 1)
      nodes = [{ title: `Question ${depth}`, kind: "group", options: [{ title: `Option ${depth}`, hours: 1, nodes }] }];
    for (const line of linesOf(plant(nodes), 80)) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });
});

test("ids take the place of bars, whole", () => {
  const lines = linesOf(shop, 80, true);
  expect(lines.some((line) => line.includes("├"))).toBe(false);
  expect(lines.filter((line) => line.endsWith(shop.nodes[0]?.id ?? "none"))).toHaveLength(1);
});

test.each([
  [three(0, 5, 10), "├──────────●─────────┤"],
  [three(10, 10, 10), "                     ●"],
  [three(0, 0, 0), "●                     "],
  [three(0, 0, 10), "●────────────────────┤"],
  [three(2, 3, 4), "    ├─●─┤             "],
])("%j on a scale up to 10 is the bar %j", (range, drawn) => {
  expect(bar(range, { most: 10, width: 22, counts: true })).toBe(drawn);
});
