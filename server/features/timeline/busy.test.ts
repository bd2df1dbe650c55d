import { expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { ThreadsBusy } from "../../platform/threads.ts";
import { setScene } from "./testing/scene.ts";

let isBusy = false;
const app = await start({
  plant: ({ handlers, mounting }) => ({
    handlers,
    mounting: {
      ...mounting,
      scheduleThreads: {
        ...mounting.scheduleThreads,
        run: (work, signal) =>
          isBusy ? Promise.reject(new ThreadsBusy("planted")) : mounting.scheduleThreads.run(work, signal),
      },
    },
  }),
});

test("where too many schedules are waiting, more are refused with 503 and nothing is changed; other work goes on", async () => {
  const scene = await setScene(app);
  await scene.setTimeline({ startDate: "2027-01-04" });
  isBusy = true;
  await changesNothing(app, async () => {
    for (const [method, below, body] of [
      ["GET", "/timeline", undefined],
      ["PUT", "/timeline", { hoursPerDay: 6 }],
      ["GET", "/milestones", undefined],
    ] as const) {
      const { status, body: answer, headers } = await scene.send(method, below, body);
      if (below === "/milestones") expect(status).toBe(200);
      else {
        expect([status, answer.message]).toEqual([503, "service_unavailable"]);
        expect(headers.get("retry-after")).toBe("1");
      }
    }
    const made = await scene.send("POST", "/milestones", { title: "Beta", dueDate: "2027-03-01" });
    expect(made.status).toBe(503);
  });
  expect((await scene.send("GET", "/tree")).status).toBe(200);
  isBusy = false;
  expect((await scene.send("GET", "/timeline")).status).toBe(200);
});
