import { expect, test } from "vitest";
import { NewIds } from "./new-ids.ts";

/** Ids from a service that can be unreachable, with the counts that were requested. */
function scene() {
  const requested: number[] = [];
  let made = 0;
  const service = { isReachable: true };
  const ids = new NewIds(async (_, count) => {
    requested.push(count);
    if (!service.isReachable) throw new Error("unreachable");
    return Array.from({ length: count }, () => `opt_${made++}`);
  });
  return { ids, requested, service };
}

// 160 are kept ahead.
test.each([1, 80, 160, 161, 200, 320, 321, 400, 2_000])("%i ids at once are all different", async (count) => {
  const { ids } = scene();
  await ids.start();
  const taken = await ids.takeAll("option", count);
  expect(new Set(taken).size).toBe(count);
  expect(taken).not.toContain(ids.take("option"));
});

test("at most a thousand are requested at a time", async () => {
  const { ids, requested } = scene();
  await ids.takeAll("option", 2_500);
  expect(requested).toEqual([1_000, 1_000, 500]);
});

test("without a connection those that are there can be taken, and more once there is one", async () => {
  const { ids, service } = scene();
  await ids.start();
  service.isReachable = false;
  expect(await ids.takeAll("option", 161)).toBeNull();
  const taken = Array.from({ length: 160 }, () => ids.take("option"));
  expect(new Set(taken).size).toBe(160);
  expect(ids.take("option")).toBeNull();
  // What was requested meanwhile has failed.
  await ids.start();
  service.isReachable = true;
  expect(await ids.takeAll("option", 3)).toHaveLength(3);
});
