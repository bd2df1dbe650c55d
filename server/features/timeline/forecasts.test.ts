import { expect, test } from "vitest";
import { makePlan } from "../../../domain/timeline/plan.ts";
import { defaultSettings } from "../../../domain/timeline/settings.ts";
import { createForecasts } from "./forecasts.ts";
import type { Loaded } from "./load.ts";

const task = { id: "tsk_1", position: 0, role: null, hours: 8, doneAt: null, actualHours: null };
const settings = { ...defaultSettings, startDate: "2027-01-04" };
const loaded: Loaded = { timeline: settings, settings, milestones: [], tasks: [], tree: { nodes: [] } };
const goal = (dueDate: string, id = "mst_1") => ({ id, dueDate, taskIds: new Set(["tsk_1"]) });
const estimation = { correlation: 0.2, rounding: 0.01 };

test("the same input is computed once, and only the last inputs are kept", () => {
  const forecasts = createForecasts();
  const ask = (dueDate: string) => {
    const goals = [goal(dueDate)];
    const plan = makePlan({ settings, tasks: [task], dependencies: [], goals });
    return forecasts(plan, goals, loaded, estimation);
  };
  const first = ask("2027-01-04");
  expect(ask("2027-01-04")).toBe(first);
  const other = ask("2027-02-01");
  expect(other).not.toBe(first);
  for (let day = 0; day < 98; day += 1) ask(new Date(Date.UTC(2028, 0, 1 + day)).toISOString().slice(0, 10));
  expect(ask("2027-01-04")).toBe(first);
  // That was used last; the other one is the oldest now.
  ask("2029-01-01");
  expect(ask("2027-01-04")).toBe(first);
  expect(ask("2027-02-01")).not.toBe(other);
  expect(ask("2027-02-01")).toEqual(other);
});

test("the order of the milestones makes no difference, and their ids keep their own forecasts", () => {
  const forecasts = createForecasts();
  const ask = (...goals: ReturnType<typeof goal>[]) => {
    const plan = makePlan({ settings, tasks: [task], dependencies: [], goals });
    return forecasts(plan, goals, loaded, estimation);
  };
  const [early, late] = [goal("2027-01-04", "mst_1"), goal("2027-02-01", "mst_2")];
  const first = ask(early, late);
  expect(ask(late, early)).toBe(first);
  const exchanged = ask(goal("2027-02-01", "mst_1"), goal("2027-01-04", "mst_2"));
  expect(exchanged.get("mst_1")).toEqual(first.get("mst_2"));
  expect(exchanged.get("mst_2")).toEqual(first.get("mst_1"));
  expect(first.get("mst_1")).not.toEqual(first.get("mst_2"));
});
