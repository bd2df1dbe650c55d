import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import type { StoredTask } from "../../../domain/tasks/shape.ts";
import type { Scheduling } from "../../../domain/timeline/scheduling.ts";
import { defaultSettings } from "../../../domain/timeline/settings.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { createCompute } from "../../platform/compute.ts";
import * as computations from "../../services/computations.ts";
import { createForecasts } from "./milestone-routes.ts";
import { setScene } from "./testing/scene.ts";

const compute = createCompute({
  file: new URL("../../services/computations.ts", import.meta.url),
  ...{ functions: computations, threads: 1, long: [] },
});
afterAll(() => compute.close());

const base = { title: "Server", description: "", hours: 8, role: null };
const task: StoredTask = {
  ...base,
  ...{ id: "tsk_1", optionId: null, parentTaskId: null, position: 0, status: "open" },
  ...{ actualHours: null, doneAt: null, droppedAt: null, points: null, externalRef: null, base },
};
const settings = { ...defaultSettings, startDate: "2027-01-04" };
const milestone = (dueDate: string, id = "mst_1") => ({ id, title: id, dueDate, nodeIds: [], taskIds: ["tsk_1"] });
const scheduling = (...milestones: ReturnType<typeof milestone>[]): Scheduling => ({
  ...{ asOf: "2027-01-04T00:00:00.000Z", settings, milestones, tasks: [task], tree: '{"nodes":[]}' },
});
const estimation = { correlation: 0.2, rounding: 0.01 };

test("the same input is computed once, and only the most recent results are cached", async () => {
  const forecasts = createForecasts({ compute });
  const ask = (dueDate: string) => forecasts(scheduling(milestone(dueDate)), estimation);
  const first = ask("2027-01-04");
  expect(ask("2027-01-04")).toBe(first);
  const other = ask("2027-02-01");
  expect(other).not.toBe(first);
  for (let day = 0; day < 98; day += 1) await ask(new Date(Date.UTC(2028, 0, 1 + day)).toISOString().slice(0, 10));
  expect(ask("2027-01-04")).toBe(first);
  // That was used last; the other one is the oldest now.
  await ask("2029-01-01");
  expect(ask("2027-01-04")).toBe(first);
  expect(ask("2027-02-01")).not.toBe(other);
  expect(await ask("2027-02-01")).toEqual(await other);
});

test("the order of milestones makes no difference, and each id gets its own forecast", async () => {
  const forecasts = createForecasts({ compute });
  const ask = (...milestones: ReturnType<typeof milestone>[]) => forecasts(scheduling(...milestones), estimation);
  const [early, late] = [milestone("2027-01-04", "mst_1"), milestone("2027-02-01", "mst_2")];
  const first = await ask(early, late);
  expect(new Map(await ask(late, early))).toEqual(first);
  const exchanged = await ask(milestone("2027-01-04", "mst_2"), milestone("2027-02-01", "mst_1"));
  expect(exchanged.get("mst_1")).toEqual(first.get("mst_2"));
  expect(exchanged.get("mst_2")).toEqual(first.get("mst_1"));
  expect(first.get("mst_1")).not.toEqual(first.get("mst_2"));
});

test("people who ask for the same forecast at the same time share one computation", async () => {
  const lines: { readonly computation?: string }[] = [];
  const app = await start({ log: pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) }) });
  const computed = () => lines.filter(({ computation }) => computation === "forecastMilestones").length;
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
