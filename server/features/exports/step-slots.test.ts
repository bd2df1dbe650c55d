import { expect, test } from "vitest";
import { CONCURRENCY } from "../../jobs/worker.ts";
import { createStepSlots, STEPS_OF_ALL, STEPS_OF_USER } from "./step-slots.ts";

test("the steps of all exports leave half of a worker to other jobs", () => {
  expect(STEPS_OF_ALL).toBeLessThanOrEqual(CONCURRENCY / 2);
  const take = createStepSlots();
  let taken = 0;
  for (let user = 0; user < CONCURRENCY; user += 1)
    for (let step = 0; step < STEPS_OF_USER; step += 1) taken += take(`user ${user}`) ? 1 : 0;
  expect(taken).toBe(STEPS_OF_ALL);
});

test("a user has a limited number of slots, and only one once half of all slots are taken", () => {
  const take = createStepSlots({ ofUser: 3, ofAll: 10 });
  const leave = [1, 2, 3].map(() => take("first"));
  expect([leave.every(Boolean), take("first")]).toEqual([true, null]);
  for (const step of [1, 2]) expect([step, take("second")]).not.toContain(null);
  expect(take("second")).toBeNull();
  for (const user of ["third", "fourth", "fifth", "sixth", "seventh"])
    expect([take(user) !== null, take(user)]).toEqual([true, null]);
  expect(take("eighth")).toBeNull();
  leave[0]?.();
  expect(take("first")).toBeNull();
  expect(take("eighth")).not.toBeNull();
});
