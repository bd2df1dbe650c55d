import { expect, test } from "vitest";
import { coalesce } from "./coalesce.ts";

test("calls made together become one, and each gets its own answer", async () => {
  const batches: (readonly number[])[] = [];
  const double = coalesce(async (inputs: readonly number[]) => {
    batches.push(inputs);
    return inputs.map((input) => input * 2);
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("calls made while one is at work wait for it and go together", async () => {
  const sizes: number[] = [];
  const first = Promise.withResolvers<void>();
  const call = coalesce(async (inputs: readonly number[]) => {
    sizes.push(inputs.length);
    if (sizes.length === 1) await first.promise;
    return inputs;
  }, 3);
  const one = call(1);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const more = [2, 3, 4, 5].map(call);
  first.resolve();
  expect(await Promise.all([one, ...more])).toEqual([1, 2, 3, 4, 5]);
  expect(sizes).toEqual([1, 3, 1]);
});

test("what the database refuses does not spoil the rest of its batch", async () => {
  const call = coalesce(async (inputs: readonly string[]) => {
    if (inputs.includes("bad")) throw Object.assign(new Error("invalid text"), { code: "22P05" });
    return inputs;
  });
  const results = await Promise.allSettled(["a", "bad", "b"].map(call));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("where the database is away, all of a batch fail after one try", async () => {
  let tries = 0;
  const call = coalesce(async (inputs: readonly string[]) => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error("no connection"), { code: "ECONNREFUSED" });
    return inputs;
  });
  const results = await Promise.allSettled(["a", "b"].map(call));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(tries).toBe(1);
  expect(await call("c")).toBe("c");
});
