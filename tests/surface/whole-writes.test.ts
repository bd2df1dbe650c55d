import { expect, test } from "vitest";
import { type EndpointId, endpointEntries } from "../../contract/index.ts";
import { failWith } from "../../server/http/failure.ts";
import { changesNothing } from "../support/dump.ts";
import { takeRefusedWrites } from "../support/refused-writes.ts";
import { callSample } from "./call.ts";
import { createFaults, type Fault } from "./loops/faults.ts";
import { setStage } from "./loops/stage.ts";

const faults = createFaults();
const { app, world, undoing } = await setStage({ plant: faults.plant });

/** Rows whose handlers run in the transaction that the mount opens for them. */
const inOneTransaction = endpointEntries
  .filter(([, { method, transaction, outside }]) => method !== "GET" && transaction !== false && !outside)
  .map(([id]) => id)
  // Runs in a thread, whose handlers have no fault.
  .filter((id) => id !== "updateTimeline");

/** Lets the handler do its work, then fails. */
const failsAtItsEnd =
  (work: NonNullable<Fault["handler"]>): Fault["handler"] =>
  async (call, sound) => {
    await work(call, sound);
    return failWith([{ path: "", in: "body", code: "not_allowed", message: "is not allowed" }]);
  };

async function leavesNothing(id: EndpointId, work: NonNullable<Fault["handler"]>): Promise<void> {
  await faults.during(id, { handler: failsAtItsEnd(work) }, () =>
    undoing(() =>
      changesNothing(app, async () => {
        expect((await callSample(app, id, world)).status).toBe(400);
      }),
    ),
  );
}

test.each(inOneTransaction)("%s stores nothing if it fails at its end", (id) =>
  leavesNothing(id, (call, sound) => sound(call)),
);

test("a handler that writes outside of its transaction is found", async () => {
  const writing = leavesNothing("updateTask", async (call, sound) => {
    await app.services.pool.execute("update tasks set title = 'Other'");
    return sound(call);
  });
  await expect(writing).rejects.toThrow("the database was changed: - public.tasks");
  expect(takeRefusedWrites()).toEqual([expect.stringContaining("was refused (400) and wrote: update tasks")]);
});
