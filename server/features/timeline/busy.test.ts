import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, until } from "../../../tests/harness.ts";
import { ThreadsBusy } from "../../platform/threads.ts";
import { setScene } from "./testing/scene.ts";

/** What the thread for forecasts does: as usual, refuses everything, or never answers. */
let forecasting: "usual" | "full" | "stuck" = "usual";
let asked = 0;
const app = await start({
  plant: ({ handlers, mounting }) => ({
    handlers,
    mounting: {
      ...mounting,
      scheduleThreads: {
        ...mounting.scheduleThreads,
        run: (work, signal) => {
          asked += 1;
          if (forecasting === "full") return Promise.reject(new ThreadsBusy("planted"));
          if (forecasting === "usual") return mounting.scheduleThreads.run(work, signal);
          return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new ThreadsBusy("planted"))));
        },
      },
    },
  }),
});

test("if too many forecasts are waiting, further ones are refused with 503; changes are stored without a forecast", async () => {
  const scene = await setScene(app);
  await scene.setTimeline({ startDate: "2027-01-04" });
  const before = await scene.addMilestone({ title: "Alpha", dueDate: "2027-03-01" });
  expect(before.forecast).not.toBeNull();
  forecasting = "full";
  const listed = await scene.send("GET", "/milestones");
  expect([listed.status, listed.body.message]).toEqual([503, "service_unavailable"]);
  expect(listed.headers.get("retry-after")).toBe("1");
  const made = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  expect(made).toMatchObject({ title: "Beta", forecast: null });
  const changed = await scene.expect("PATCH", `/milestones/${made.id}`, { dueDate: "2027-04-01" });
  expect(changed.milestone).toMatchObject({ dueDate: "2027-04-01", forecast: null });
  // Schedules do not wait for forecasts.
  expect(await scene.setTimeline({ hoursPerDay: 6 })).toMatchObject({ hoursPerDay: 6, problem: null });
  expect((await scene.timeline()).items).toHaveLength(3);
  expect((await scene.send("GET", "/tree")).status).toBe(200);
  forecasting = "usual";
  expect(await scene.milestones()).toMatchObject([{ id: before.id }, { id: made.id, dueDate: "2027-04-01" }]);
});

test("while a forecast is computed, others can change the estimation; the change that asked for it is stored and answered in time", async () => {
  const scene = await setScene(app);
  await scene.setTimeline({ startDate: "2027-01-04" });
  forecasting = "stuck";
  const before = asked;
  const making = scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  await until(async () => asked > before);
  const nodes = (await scene.expect("GET", "/tree")).tree?.nodes;
  expect((await scene.send("PUT", "/tree", { nodes })).status).toBe(200);
  expect(await scene.setTimeline({ hoursPerDay: 6 })).toMatchObject({ hoursPerDay: 6 });
  await app.clock.advance(limits.fillSeconds * 1_000);
  const made = await making;
  expect(made).toMatchObject({ title: "Beta", forecast: null });
  forecasting = "usual";
  const [listed] = await scene.milestones();
  expect(listed).toEqual({ ...made, forecast: listed?.forecast });
  expect(listed?.forecast).not.toBeNull();
});

test("a user can have two forecasts waiting or running; other users are not affected", async () => {
  const scene = await setScene(app);
  await scene.setTimeline({ startDate: "2027-01-04" });
  await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  const other = await setScene(app);
  await other.setTimeline({ startDate: "2027-01-04" });
  forecasting = "stuck";
  const before = asked;
  const making = Array.from({ length: limits.simulationsPerUser }, (_, number) =>
    scene.addMilestone({ title: `Number ${number}`, dueDate: "2027-03-01" }),
  );
  await until(async () => asked === before + limits.simulationsPerUser);
  expect((await scene.send("GET", "/milestones")).status).toBe(429);
  expect((await scene.addMilestone({ title: "More", dueDate: "2027-03-01" })).forecast).toBeNull();
  expect(asked).toBe(before + limits.simulationsPerUser);
  const others = other.addMilestone({ title: "Theirs", dueDate: "2027-03-01" });
  await until(async () => asked === before + limits.simulationsPerUser + 1);
  await app.clock.advance(limits.fillSeconds * 1_000);
  await Promise.all([...making, others]);
  forecasting = "usual";
  expect((await scene.send("GET", "/milestones")).status).toBe(200);
});

test("no forecast is requested if there is nothing to schedule", async () => {
  const scene = await setScene(app);
  const before = asked;
  await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  expect(asked).toBe(before);
});
