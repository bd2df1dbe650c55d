import { expect, test } from "vitest";
import { FILL_SECONDS } from "../../../contract/endpoints/milestones.ts";
import { start, until } from "../../../tests/harness.ts";
import { TooManyOfCaller } from "../../platform/fair-queue.ts";
import { Overloaded } from "../../platform/turns.ts";
import { setScene } from "./testing/scene.ts";

/** What happens to forecasts: they are made as usual, are refused, or are never ready. */
let forecasting: "usual" | "full" | "full for the user" | "stuck" = "usual";
let asked = 0;
const app = await start();
const { compute } = app.services;
const { run } = compute;
compute.run = (name, ...input) => {
  if (name !== "forecastMilestones") return run(name, ...input);
  asked += 1;
  if (forecasting === "full") return Promise.reject(new Overloaded("planted"));
  if (forecasting === "full for the user") return Promise.reject(new TooManyOfCaller("planted"));
  return forecasting === "usual" ? run(name, ...input) : new Promise(() => {});
};

test("if too many forecasts are waiting, further ones are refused; changes are stored without a forecast", async () => {
  const scene = await setScene(app);
  await scene.setTimeline({ startDate: "2027-01-04" });
  const before = await scene.addMilestone({ title: "Alpha", dueDate: "2027-03-01" });
  expect(before.forecast).not.toBeNull();
  forecasting = "full";
  await scene.setTimeline({ hoursPerDay: 7 });
  const listed = await scene.send("GET", "/milestones");
  expect([listed.status, listed.body.message]).toEqual([503, "service_unavailable"]);
  expect(listed.headers.get("retry-after")).toBe("1");
  forecasting = "full for the user";
  const refused = await scene.send("GET", "/milestones");
  expect([refused.status, refused.body.message]).toEqual([429, "rate_limited"]);
  expect(refused.headers.get("retry-after")).toBe("1");
  const made = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  expect(made).toMatchObject({ title: "Beta", forecast: null });
  forecasting = "full";
  const changed = await scene.expect("PATCH", `/milestones/${made.id}`, { dueDate: "2027-04-01" });
  expect(changed.milestone).toMatchObject({ dueDate: "2027-04-01", forecast: null });
  // Schedules do not wait for forecasts.
  expect(await scene.setTimeline({ hoursPerDay: 6 })).toMatchObject({ hoursPerDay: 6, problem: null });
  expect((await scene.timeline()).items).toHaveLength(3);
  expect((await scene.send("GET", "/tree")).status).toBe(200);
  forecasting = "usual";
  expect(await scene.milestones()).toMatchObject([{ id: before.id }, { id: made.id, dueDate: "2027-04-01" }]);
});

test("while a forecast is computed, others can change the estimation; the change that requested it is stored, and its response comes in time", async () => {
  const scene = await setScene(app);
  await scene.setTimeline({ startDate: "2027-01-04" });
  forecasting = "stuck";
  const before = asked;
  const making = scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  await until(async () => asked > before);
  const nodes = (await scene.expect("GET", "/tree")).tree?.nodes;
  expect((await scene.send("PUT", "/tree", { nodes })).status).toBe(200);
  expect(await scene.setTimeline({ hoursPerDay: 6 })).toMatchObject({ hoursPerDay: 6 });
  await app.clock.advance(FILL_SECONDS * 1_000);
  const made = await making;
  expect(made).toMatchObject({ title: "Beta", forecast: null });
  forecasting = "usual";
  const [listed] = await scene.milestones();
  expect(listed).toEqual({ ...made, forecast: listed?.forecast });
  expect(listed?.forecast).not.toBeNull();
});

test("no forecast is requested for a change if there is nothing to schedule", async () => {
  const scene = await setScene(app);
  const before = asked;
  await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  expect(asked).toBe(before);
});
