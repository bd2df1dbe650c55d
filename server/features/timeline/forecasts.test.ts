import { pino } from "pino";
import { expect, test } from "vitest";
import { makePlan } from "../../../domain/timeline/plan.ts";
import { defaultSettings } from "../../../domain/timeline/settings.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { createForecasts } from "./forecasts.ts";
import type { Loaded } from "./load.ts";
import { setScene } from "./testing/scene.ts";

const task = { id: "tsk_1", position: 0, role: null, hours: 8, doneAt: null, actualHours: null };
const settings = { ...defaultSettings, startDate: "2027-01-04" };
const loaded: Loaded = { timeline: settings, settings, milestones: [], tasks: [], tree: { nodes: [] } };
const goal = (dueDate: string, id = "mst_1") => ({ id, dueDate, taskIds: new Set(["tsk_1"]) });
const estimation = { correlation: 0.2, rounding: 0.01 };

test("the same input is computed once, and only the most recent results are kept", () => {
  const forecasts = createForecasts(pino({ level: "silent" }));
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

test("the order of milestones makes no difference, and each id gets its own forecast", () => {
  const forecasts = createForecasts(pino({ level: "silent" }));
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

test("people who ask for the same forecast at the same time share one computation", async () => {
  const lines: { readonly msg: string }[] = [];
  const app = await start({ log: pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) }) });
  const computed = () => lines.filter(({ msg }) => msg === "computing a forecast").length;
  const scene = await setScene(app);
  const reader = await app.signUp();
  const { share } = await scene.expect("POST", "/shares", { email: reader.email, permission: "view" });
  await app.request("POST", `/api/shares/${share?.id}/accept`, { token: reader.token });
  await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  await scene.setTimeline({ startDate: "2027-01-04" });
  expect(computed()).toBe(0);
  const read = async ({ token }: TestUser) => {
    const { status, data } = await app.request("GET", `${scene.path}/milestones`, { token });
    expect([status, data.milestones]).toEqual([200, [expect.objectContaining({ forecast: expect.anything() })]]);
    return data.milestones;
  };
  const [first, second] = await Promise.all([read(scene.user), read(reader)]);
  expect(second).toEqual(first);
  expect(computed()).toBe(1);
  await scene.setTimeline({ startDate: "2027-01-05" });
  await Promise.all([read(scene.user), read(reader)]);
  expect(computed()).toBe(2);
});
