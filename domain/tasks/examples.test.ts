import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { problems } from "../tree/check/problems.ts";
import { presentHours } from "../tree/hours/present-hours.ts";
import { rollUp } from "../tree/hours/roll-up.ts";
import { depthOf, type Option, pointsOf, walk } from "../tree/shape.ts";
import { examples } from "../tree/testing/examples.ts";
import { deriveTasks } from "./derive.ts";

const readme = readFileSync(new URL("../../examples/README.md", import.meta.url), "utf8");

it("there are at least three examples", () => {
  expect(examples.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["checkout.json", "data-migration.json", "mobile-app.json"]),
  );
});

describe.each(examples)("$file", ({ file, estimation, tree }) => {
  const options: Option[] = [];
  const kinds = new Set<string>();
  walk(tree.nodes, { node: ({ kind }) => kinds.add(kind), option: (option) => options.push(option) });

  it("is nested, of a real estimation's size, and uses every kind of node", () => {
    expect(options.length).toBeGreaterThanOrEqual(30);
    expect(options.length).toBeLessThanOrEqual(120);
    expect(depthOf(tree.nodes)).toBeGreaterThanOrEqual(3);
    expect([...kinds].sort()).toEqual(["group", "multi", "single"]);
    expect(options.some(({ requires }) => requires.length > 0)).toBe(true);
    expect(options.some(({ excludes }) => excludes.length > 0)).toBe(true);
    expect(options.some(({ quantity, unit }) => quantity > 1 && unit)).toBe(true);
  });

  it("is complete as it is imported", () => {
    expect(problems(tree)).toEqual([]);
  });

  it("gives every option with hours a range and a role", () => {
    for (const option of options) {
      const points = pointsOf(option);
      if (!points) continue;
      const { optimistic, likely, pessimistic } = points;
      expect([option.title, 0 < optimistic && optimistic < likely && likely < pessimistic]).toEqual([
        option.title,
        true,
      ]);
      expect(option.role).not.toBeNull();
    }
  });

  it("gives plausible hours for such a project, and tasks that add up to them", () => {
    const { expected, p50, p80, p95, cost } = presentHours(rollUp(tree, { correlation: 0.2, ...estimation }));
    expect(expected).toBeGreaterThan(800);
    expect(expected).toBeLessThan(3_500);
    expect(p50 < expected && expected < p80 && p80 < p95 && p95 < 1.4 * expected).toBe(true);
    expect(cost?.p80).toBeGreaterThan(50_000);
    expect(readme).toMatch(
      new RegExp(`\\| \`${file}\` \\|.*\\| ${options.length} \\| ${Math.round(expected).toLocaleString("en")} \\|`),
    );
    const tasks = deriveTasks(tree);
    expect(tasks.length).toBeGreaterThan(40);
    expect(tasks.reduce((sum, { hours }) => sum + Math.round((hours ?? 0) * 100), 0)).toBe(Math.round(expected * 100));
  });
});
