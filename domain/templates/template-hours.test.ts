import { expect, test } from "vitest";
import type { TemplateNode, TemplateOption } from "./shape.ts";
import { templateHours } from "./template-hours.ts";

const option = (hours: number | null, more: Partial<TemplateOption> = {}): TemplateOption => ({
  id: "opt",
  title: "Option",
  description: "",
  hours: hours === null ? null : { optimistic: hours, likely: hours, pessimistic: hours },
  quantity: 1,
  unit: null,
  role: null,
  requires: [],
  excludes: [],
  nodes: [],
  ...more,
});

const node = (kind: TemplateNode["kind"], options: TemplateOption[], required = false): TemplateNode => ({
  id: "nod",
  title: "Node",
  description: "",
  kind,
  required,
  min: null,
  max: null,
  options,
});

const hoursOf = (...nodes: TemplateNode[]) => {
  const { least, most } = templateHours({ nodes });
  return [least, most];
};

test("a group counts whole, with its quantities and means", () => {
  const points = { optimistic: 4, likely: 8, pessimistic: 18 };
  expect(hoursOf(node("group", [option(3, { quantity: 2 }), option(null), option(0, { hours: points })]))).toEqual([
    15, 15,
  ]);
});

test("of a choice the cheapest or the dearest option counts, and none where no answer is required", () => {
  const two = [option(4), option(10)];
  expect(hoursOf(node("single", two, true))).toEqual([4, 10]);
  expect(hoursOf(node("single", two))).toEqual([0, 10]);
  expect(hoursOf(node("multi", two, true))).toEqual([4, 14]);
  expect(hoursOf(node("multi", two))).toEqual([0, 14]);
  expect(hoursOf(node("single", [], true), node("group", []))).toEqual([0, 0]);
});

test("questions below an option count with it, times its quantity", () => {
  const below = option(1, { quantity: 3, nodes: [node("single", [option(2), option(5)], true)] });
  expect(hoursOf(node("group", [below]))).toEqual([9, 18]);
});
