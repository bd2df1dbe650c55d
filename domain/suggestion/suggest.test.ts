import { describe, expect, it } from "vitest";
import { resultOf } from "../steps.ts";
import { figuresOf } from "../tree/hours/distribution.ts";
import { totalOf } from "../tree/hours/roll-up.ts";
import { createEvidence, type FinishedTask } from "./evidence.ts";
import { EVIDENCE_LEAST, OPTIONS_MOST, suggest } from "./suggest.ts";
import { type Work, workOf } from "./work.ts";

const CORRELATION = 0.2;

const finish = (count: number, ratio = 1.5, title = "Export invoices"): FinishedTask[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `tsk_${String(at).padStart(4, "0")}`, title: `${title} ${at}`, description: "", role: "backend" },
    ...{ estimatedHours: 4 + (at % 5), actualHours: (4 + (at % 5)) * ratio },
  }));

const work = (hours: number | null, title = "Export invoices as PDF", at = 0): Work => ({
  ...{ optionId: `opt_${at}`, title, description: "", role: "backend", hours },
});

function ask(asked: readonly Work[], finished: readonly FinishedTask[]) {
  const evidence = createEvidence();
  for (const task of finished) evidence.add(task);
  const expected = asked.reduce((sum, { hours }) => sum + (hours ?? 0), 0);
  const sums = { optimistic: expected, likely: expected, pessimistic: expected, deviations: 0, variances: 0 };
  return resultOf(suggest({ work: asked, figures: figuresOf(sums, CORRELATION), correlation: CORRELATION }, evidence));
}

describe("the ladder", () => {
  it("widens the tree's own hours by the generic band if there is no history", () => {
    const { rung, hours, warnings } = ask([work(100)], finish(EVIDENCE_LEAST - 1));
    expect({ rung, warnings }).toEqual({ rung: 1, warnings: ["little_history"] });
    expect(hours).toEqual({ p10: 45, p50: 94.87, p80: 154.82, p90: 200 });
  });

  it("applies the team's usual ratio from ten finished tasks on", () => {
    const { rung, hours, analogs } = ask(
      [work(100)],
      [
        ...finish(EVIDENCE_LEAST - 5, 1.5, "Colour of buttons"),
        ...finish(5).map((task) => ({ ...task, id: `${task.id}x` })),
      ],
    );
    expect(rung).toBe(3);
    expect(hours?.p50).toBeCloseTo(150, 0);
    expect(hours?.p90).toBeLessThan(200);
    expect(analogs.map(({ taskId }) => taskId.endsWith("x"))).toEqual([true, true, true, true, true]);
    expect(analogs[0]?.similarity).toBeGreaterThan(0.1);
  });

  it("suggests hours for an option without any, from what similar tasks took", () => {
    const { rung, hours, perOption, warnings } = ask([work(null)], finish(40));
    expect(rung).toBe(2);
    expect(hours?.p50).toBeGreaterThan(5);
    expect(hours?.p50).toBeLessThan(13);
    expect(perOption[0]).toMatchObject({ rung: 2, current: null });
    expect(warnings).toEqual(["options_without_hours"]);
  });

  it("prefers tasks that resemble the option", () => {
    const mixed = finish(60).map((task, at) =>
      at % 2 === 0 ? task : { ...task, title: `Colour of buttons ${at}`, actualHours: task.estimatedHours * 0.5 },
    );
    const asked = [work(10, "Export invoices"), work(10, "Colour of buttons", 1)];
    const [invoices, buttons] = ask(asked, mixed).perOption;
    expect(invoices?.hours?.p50).toBeGreaterThan(12);
    expect(buttons?.hours?.p50).toBeLessThan(8);
  });

  it("abstains if no option counts, or if nothing is known", () => {
    expect(ask([], finish(40))).toMatchObject({ hours: null, reason: "nothing_counted", perOption: [] });
    expect(ask([work(null)], finish(3))).toMatchObject({ hours: null, reason: "nothing_known" });
  });

  it("is wider for correlated sums than for one option, and never adds up percentiles", () => {
    const many = Array.from({ length: 20 }, (_, at) => work(10, "Export invoices", at));
    const finished = finish(60).map((task, at) => ({ ...task, actualHours: task.estimatedHours * (at % 2 ? 0.5 : 2) }));
    const { hours, perOption } = ask(many, finished);
    const sumOf90 = perOption.reduce((sum, option) => sum + (option.hours?.p90 ?? 0), 0);
    expect(hours?.p90).toBeLessThan(sumOf90);
    expect(hours?.p10).toBeGreaterThan(0);
  });

  it("judges the largest options one by one, and reports that", () => {
    const many = Array.from({ length: OPTIONS_MOST + 1 }, (_, at) => work(1 + at, "Export invoices", at));
    const { perOption, warnings, hours } = ask(many, finish(20));
    expect(perOption).toHaveLength(OPTIONS_MOST);
    expect(perOption.some(({ optionId }) => optionId === "opt_0")).toBe(false);
    expect(warnings).toEqual(["largest_options_only"]);
    const total = many.reduce((sum, { hours: own }) => sum + (own ?? 0), 0);
    expect(hours?.p50).toBeCloseTo(1.5 * total, -3);
    expect(ask(many.slice(1), finish(20)).warnings).toEqual([]);
  });
});

it("limits the effect of absurd records: ratios are bounded", () => {
  const absurd = finish(40).map((task) => ({ ...task, actualHours: 1e9 }));
  const { hours } = ask([work(10)], absurd);
  expect(hours?.p50).toBeLessThanOrEqual(520);
  expect(Object.values(hours ?? {}).every(Number.isFinite)).toBe(true);
});

it("knows a role in another spelling, and an empty one as none", () => {
  const finished = [
    ...finish(15, 1),
    ...finish(15, 3).map((task) => ({ ...task, id: `x${task.id}`, role: "Qualität" })),
  ];
  const asked = (role: string | null) => ask([{ ...work(20), role }], finished).hours;
  const [none, same] = [asked(null), asked("Qualität")];
  expect(same).not.toEqual(none);
  for (const role of ["qualita\u0308t", " QUALITÄT\u00a0", "Quali\u200btät"]) expect(asked(role)).toEqual(same);
  for (const role of ["", " ", "Quality"]) expect(asked(role)).toEqual(none);
});

it("is the same to the last bit for the same question and evidence", () => {
  const asked = [work(10), work(null, "Login", 1)];
  expect(JSON.stringify(ask(asked, finish(50)))).toBe(JSON.stringify(ask(asked, finish(50))));
});

it("treats as work the counted options with hours, and those without hours that are not divided further", () => {
  const option = (id: string, hours: number | null, nodes: never[] = [], more = {}) => ({
    ...{ id, title: id, description: "", quantity: 2, unit: null, role: null, requires: [], excludes: [] },
    ...{ hours: hours === null ? null : { optimistic: hours, likely: hours, pessimistic: hours } },
    ...{ selected: true, override: null, nodes, ...more },
  });
  const node = { id: "nod", title: "Pages", description: "", required: false, min: null, max: null };
  const options = [option("a", 3), option("b", null), option("c", 0), option("d", 5, [], { selected: false })];
  const tree = { nodes: [{ ...node, kind: "multi" as const, options }] };
  expect(workOf(tree).map(({ optionId, title, hours }) => [optionId, title, hours])).toEqual([
    ["a", "Pages: a", 6],
    ["b", "Pages: b", null],
  ]);
  expect(totalOf(tree).likely).toBe(6);
});
