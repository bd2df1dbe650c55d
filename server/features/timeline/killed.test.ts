import type { Worker } from "node:worker_threads";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { COMPUTING_PER_USER } from "../../platform/compute.ts";
import { option, setScene } from "./testing/scene.ts";

/** Every worker thread that was started. */
const threads: Worker[] = [];
const collect = (thread: Worker) => void threads.push(thread);
process.on("worker", collect);
afterAll(() => void process.off("worker", collect));

/**
 * Whether the worker thread of the next forecast is killed. A forecast may have ended before: then the tests repeat what they do
 * until it died in time.
 */
let kills = false;
const app = await start({
  log: pino(
    { level: "debug" },
    {
      write(line) {
        if (JSON.parse(line).computation !== "forecastMilestones" || !kills) return;
        kills = false;
        for (const thread of threads) void thread.terminate();
      },
    },
  ),
});

/** Enough work to be killed in it. */
const nodes = Array.from({ length: 5 }, (_, node) => ({
  title: `Scope ${node}`,
  kind: "group" as const,
  options: Array.from({ length: 100 }, (__, at) => option(`Part ${node} ${at}`, 1 + (at % 9), `role ${at % 3}`)),
}));

test("a worker thread that dies during a forecast causes a clear error, holds no slot, and the next forecast is computed", async () => {
  const scene = await setScene(app, undefined, nodes);
  await scene.setTimeline({ startDate: "2027-01-04" });
  // The change is stored before its forecast is asked for.
  const addKilled = () => {
    kills = true;
    return scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  };
  let made = await addKilled();
  while (made.forecast !== null) made = await addKilled();
  // More often than a user may have computations under way: dead ones do not count.
  let count = 0;
  for (let refused = 0; refused <= COMPUTING_PER_USER; ) {
    // Forecasts are cached, so each has to be another one.
    count += 1;
    await scene.setTimeline({ people: [{ role: "role 0", count }] });
    kills = true;
    const { status, body, headers } = await scene.send("GET", "/milestones");
    if (status === 200) continue;
    refused += 1;
    expect([status, body.message, headers.get("retry-after")]).toEqual([503, "service_unavailable", "1"]);
  }
  kills = false;
  const listed = (await scene.milestones()).find(({ id }) => id === made.id);
  expect(listed).toEqual({ ...made, forecast: listed?.forecast });
  expect(listed?.forecast?.runs).toBe(10_000);
});
