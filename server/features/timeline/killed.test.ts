import type { Worker } from "node:worker_threads";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { option, setScene } from "./testing/scene.ts";

/** Every thread that was started, in order: the last one is that for forecasts, as the tree of the scene needs none after it. */
const threads: Worker[] = [];
const collect = (thread: Worker) => void threads.push(thread);
process.on("worker", collect);
afterAll(() => void process.off("worker", collect));

/**
 * Whether the thread of the next computation is killed. A thread says that it begins one, and then computes: on a busy
 * machine it may have ended before it is killed, so tests repeat what they do until it died in time.
 */
let kills = false;
/** Requests that ran in the threads for large trees. */
let inThreads = 0;
const app = await start({
  plant: ({ handlers, mounting }) => ({
    handlers,
    mounting: {
      ...mounting,
      threads: {
        ...mounting.threads,
        run: (work, signal) => {
          inThreads += 1;
          return mounting.threads.run(work, signal);
        },
      },
    },
  }),
  log: pino(
    { level: "debug" },
    {
      write(line) {
        if (JSON.parse(line).msg !== "computing a forecast" || !kills) return;
        kills = false;
        void threads.at(-1)?.terminate();
      },
    },
  ),
});

/** Enough work to be killed in it. */
const nodesWith = (description: string) =>
  Array.from({ length: 5 }, (_, node) => ({
    title: `Scope ${node}`,
    kind: "group" as const,
    options: Array.from({ length: 100 }, (__, at) => ({
      ...option(`Part ${node} ${at}`, 1 + (at % 9), `role ${at % 3}`),
      description,
    })),
  }));

test("a thread that dies while it forecasts: clear answers, nothing stays occupied, and the next forecast is made", async () => {
  const scene = await setScene(app, undefined, nodesWith(""));
  await scene.setTimeline({ startDate: "2027-01-04" });
  // The change is stored before its forecast is asked for.
  const addKilled = () => {
    kills = true;
    return scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  };
  let made = await addKilled();
  while (made.forecast !== null) made = await addKilled();
  // As often as a user may have forecasts under way: dead ones do not count.
  for (let refused = 0; refused < limits.simulationsPerUser; ) {
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

test("a milestone of an estimation that only threads work on is answered with its forecast as well", async () => {
  const text = "x".repeat(Math.ceil(limits.inProcessBytes / 500));
  const scene = await setScene(app, undefined, nodesWith(text));
  await scene.setTimeline({ startDate: "2027-01-04" });
  const nodeId = (await scene.expect("GET", "/tree")).tree?.nodes?.[0]?.id;
  inThreads = 0;
  const made = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01", nodeIds: [nodeId] });
  expect(made.forecast?.runs).toBe(10_000);
  const { milestone } = await scene.expect("PATCH", `/milestones/${made.id}`, { dueDate: "2027-04-01" });
  expect(inThreads).toBe(2);
  expect(await scene.milestones()).toEqual([milestone]);
});
