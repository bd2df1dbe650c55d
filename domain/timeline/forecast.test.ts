import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { deriveTasks } from "../tasks/derive.ts";
import { figuresOf } from "../tree/hours/distribution.ts";
import { totalOf } from "../tree/hours/roll-up.ts";
import { examples } from "../tree/testing/examples.ts";
import { plant } from "../tree/testing/trees.ts";
import { dayOf } from "./calendar.ts";
import { forecast, runsFor, STEPS } from "./forecast.ts";
import { itemsOf } from "./items.ts";
import { makePlan } from "./plan.ts";
import { rangesOf } from "./ranges.ts";
import { plainSettings, weekOf } from "./testing/settings.ts";

const seed = [0x01234567, 0x89abcdef, 0xfedcba98, 0x76543210];

/** A plan of the tasks of an example's tree, and everything as one goal. */
function planOf({ tree }: (typeof examples)[number], settings = plainSettings, dueDate = "2027-03-01") {
  const derived = deriveTasks(tree);
  const tasks = derived.flatMap(({ hours, ...task }) =>
    hours === null ? [] : { ...task, hours, doneAt: null, actualHours: null },
  );
  const ranges = rangesOf(
    tree,
    derived.map((task) => ({ ...task, hoursAreEdited: false })),
    0.01,
  );
  const goals = [{ id: "all", dueDate, taskIds: new Set(tasks.map(({ id }) => id)) }];
  return { plan: makePlan({ settings, tasks, dependencies: [], goals }), goals, ranges };
}

/** Nobody else, nothing to wait for: the end is the sum of all hours. */
const alone = (example: (typeof examples)[number]) => {
  const oneRole = { ...example, tree: structuredClone(example.tree) };
  const { plan, goals, ranges } = planOf(oneRole);
  const tasks = plan.tasks.map((task) => ({ ...task, role: null }));
  return { plan: makePlan({ settings: plainSettings, tasks, dependencies: [], goals }), goals, ranges };
};

const hoursUntil = (instant: string | null | undefined) =>
  (Date.parse(instant ?? "") - Date.parse("2027-01-04T00:00:00Z")) / 3_600_000;

/** Six skewed tasks, of which a lognormal put the P80 10 % too low. */
const skewed: (typeof examples)[number] = {
  ...(examples[0] as (typeof examples)[number]),
  file: "six tasks of 20/30/500 h",
  tree: plant([
    {
      title: "Scope",
      kind: "group",
      options: Array.from({ length: 6 }, (_, index) => ({
        title: `Task ${index}`,
        hours: { optimistic: 20, likely: 30, pessimistic: 500 },
      })),
    },
  ]),
};

describe.each([...examples, skewed])("$file with one person, without dependencies", (example) => {
  it.each([0, 0.2, 0.5])(
    "has its P50, P80 and P95 within 2 % of the roll-up's, at a correlation of %d",
    (correlation) => {
      const { plan, goals, ranges } = alone(example);
      const { expected, p50, p80, p95 } = figuresOf(totalOf(example.tree), correlation);
      const shown = forecast(plan, goals, { seed, correlation, ranges }).get("all");
      expect(Math.abs(hoursUntil(shown?.planned) - expected)).toBeLessThan(0.02);
      for (const [instant, hours] of [
        [shown?.p50, p50],
        [shown?.p80, p80],
        [shown?.p95, p95],
      ] as const) {
        expect(Math.abs(hoursUntil(instant) / hours - 1), `${hoursUntil(instant)} for ${hours}`).toBeLessThan(0.02);
      }
    },
  );
});

describe("the probability of a date", () => {
  const example = examples[0] as (typeof examples)[number];
  it("is the share of the runs that meets it, with its standard error, and rises with the date", () => {
    let before = 0;
    for (let day = dayOf("2027-01-04") ?? 0; day < (dayOf("2027-05-01") ?? 0); day += 5) {
      const dueDate = new Date(day * 86_400_000).toISOString().slice(0, 10);
      const { plan, ranges } = alone(example);
      const goals = [{ id: "all", dueDate, taskIds: new Set(plan.tasks.map(({ id }) => id)) }];
      const { probability, standardError, p50 } = forecast(plan, goals, {
        seed,
        correlation: 0.2,
        ranges,
        runs: 2_000,
      }).get("all") ?? {
        probability: -1,
        standardError: -1,
        p50: null,
      };
      expect(standardError).toBeCloseTo(Math.sqrt((probability * (1 - probability)) / 2_000), 4);
      expect(probability).toBeGreaterThanOrEqual(before);
      expect(probability >= 0.5).toBe(Date.parse(p50 ?? "") <= (day + 1) * 86_400_000);
      before = probability;
    }
    expect(before).toBe(1);
  });

  it("has as drivers the longer of two chains, and nothing outside of both", () => {
    const task = (id: string, hours: number, position: number) => ({
      ...{ id, hours, position, role: id, doneAt: null, actualHours: null },
    });
    const tasks = [task("long", 30, 0), task("after", 10, 1), task("short", 38, 2), task("beside", 1, 3)];
    const goals = [{ id: "all", dueDate: "2027-01-05", taskIds: new Set(tasks.map(({ id }) => id)) }];
    const dependencies = [{ from: "long", to: "after", type: "finish_to_start" as const, lagHours: 0 }];
    const plan = makePlan({ settings: plainSettings, tasks, dependencies, goals });
    const ranges = ["long", "short"].map((taskId) => ({ taskId, optimistic: 20, likely: 30, pessimistic: 50 }));
    const { drivers, probability } = forecast(plan, goals, { seed, correlation: 0, ranges }).get("all") ?? {};
    expect(drivers?.map(({ taskId }) => taskId)).toEqual(["long", "after", "short"]);
    const [long = 0, after = 0, short = 0] = (drivers ?? []).map(({ share }) => share);
    expect(long).toBe(after);
    expect(long + short).toBeCloseTo(1, 4);
    expect(long).toBeGreaterThan(0.8);
    expect(probability).toBeGreaterThan(0.5);
  });

  it("has the same driver of two that end together, whatever the order of the links", () => {
    const tasks = ["a", "b", "c"].map((id, position) => ({
      ...{ id, position, role: id, hours: 8, doneAt: null, actualHours: null },
    }));
    const goals = [{ id: "all", dueDate: "2027-03-01", taskIds: new Set(["a", "b", "c"]) }];
    const links = ["a", "b"].map((from) => ({ from, to: "c", type: "finish_to_start" as const, lagHours: 0 }));
    const driversWith = (dependencies: typeof links) => {
      const plan = makePlan({ settings: plainSettings, tasks, dependencies, goals });
      return forecast(plan, goals, { seed, correlation: 0, ranges: [], runs: 10 }).get("all")?.drivers;
    };
    expect(driversWith(links)).toHaveLength(2);
    expect(driversWith(links.toReversed())).toEqual(driversWith(links));
  });

  it("is certain if everything is done, and null if the milestone names nothing", () => {
    const done = (doneAt: string) => ({
      ...{ id: "a", hours: 5, position: 0, role: null, actualHours: 4 },
      doneAt: Date.parse(doneAt) / 1_000,
    });
    const goals = [
      { id: "all", dueDate: "2027-01-05", taskIds: new Set(["a"]) },
      { id: "none", dueDate: "2027-01-05", taskIds: new Set<string>() },
    ];
    const of = (doneAt: string) => {
      const plan = makePlan({ settings: plainSettings, tasks: [done(doneAt)], dependencies: [], goals });
      return forecast(plan, goals, { seed, correlation: 0, ranges: [], runs: 10 });
    };
    const kept = of("2027-01-05T23:59:00Z");
    expect(kept.get("none")).toBeNull();
    const instant = "2027-01-05T23:59:00.000Z";
    expect(kept.get("all")).toEqual({
      ...{ asOf: "1970-01-01T00:00:00.000Z", planned: instant, p50: instant, p80: instant, p95: instant },
      ...{ probability: 1, standardError: 0, runs: 10, drivers: [] },
    });
    expect(of("2027-01-06T00:01:00Z").get("all")).toMatchObject({ probability: 0 });
  });
});

describe("the number of runs", () => {
  it("is 10,000 for 500 tasks with 50 milestones, and smaller for the largest plan, so that its work has a bound", () => {
    expect(runsFor(500, 500 * limits.milestones)).toBe(10_000);
    expect(runsFor(0, 0)).toBe(10_000);
    const [tasks, ends] = [limits.treeOptions, limits.treeOptions * limits.milestones];
    expect(runsFor(tasks, ends)).toBe(625);
    expect(runsFor(tasks, ends) * (30 * tasks + ends)).toBeLessThanOrEqual(STEPS);
  });

  it("is reduced if all of them would take more steps than allowed", () => {
    const ends = STEPS / limits.forecastRuns;
    expect(runsFor(0, ends)).toBe(10_000);
    expect(runsFor(0, ends + 1)).toBe(9_999);
  });

  it("is used by the forecast, and given in it", () => {
    const tasks = Array.from({ length: 2_000 }, (_, position) => ({
      ...{ id: `tsk_${position}`, position, role: null, hours: 1, doneAt: null, actualHours: null },
    }));
    const goals = [{ id: "all", dueDate: "2027-02-01", taskIds: new Set(tasks.map(({ id }) => id)) }];
    const plan = makePlan({ settings: plainSettings, tasks, dependencies: [], goals });
    const ranges = tasks.map(({ id }) => ({ taskId: id, optimistic: 0.5, likely: 1, pessimistic: 1.5 }));
    const shown = forecast(plan, goals, { seed, correlation: 0, ranges }).get("all");
    expect(shown?.runs).toBe(runsFor(2_000, 2_000));
    expect(shown?.runs).toBeLessThan(10_000);
  });
});

describe("golden bytes", () => {
  const settings = {
    ...plainSettings,
    timeZone: "Europe/Berlin",
    hoursPerDay: 7.5,
    weeklyPattern: weekOf(1, 1, 1, 1, 0.5, 0, 0),
    holidays: ["2027-01-06", "2027-03-26", "2027-03-29"],
    focusFactor: 0.8,
    people: [{ role: "backend", count: 2 }],
  };
  it.each(examples.slice(0, 3))("of $file are the recorded ones, on every machine", async (example) => {
    const { plan, goals, ranges } = planOf(example, settings);
    const [first, second, third] = plan.tasks.map(({ id }) => id) as [string, string, string];
    const dependencies = [
      { from: first, to: second, type: "finish_to_start" as const, lagHours: 4 },
      { from: first, to: third, type: "start_to_start" as const, lagHours: 0.5 },
      { from: second, to: third, type: "finish_to_finish" as const, lagHours: 0 },
    ];
    const linked = makePlan({ settings, tasks: plan.tasks, dependencies, goals });
    const shown = {
      items: itemsOf(linked),
      assumed: linked.assumed,
      forecast: forecast(linked, goals, { seed, correlation: 0.2, ranges }).get("all"),
    };
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(
      `testing/golden/${example.file.replace(".json", ".gen.json")}`,
    );
  });
});
