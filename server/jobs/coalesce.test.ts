import { expect, test } from "vitest";
import { coalesce } from "./coalesce.ts";

test("calls made together become one, and each gets its own result", async () => {
  const batches: (readonly number[])[] = [];
  const double = coalesce(async (inputs: readonly number[]) => {
    batches.push(inputs);
    return inputs.map((input) => input * 2);
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("calls made while one is running wait for it and are made together", async () => {
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

test.each([
  ["refuses", Object.assign(new Error("invalid text"), { code: "22P05" })],
  ["gives up", Object.assign(new Error("deadlock detected"), { code: "40P01" })],
  ["is told to cancel", Object.assign(new Error("canceling statement"), { code: "57014" })],
  ["never gets", new TypeError("no such property")],
])("an item that the database %s does not affect the rest of its batch", async (_, fault) => {
  const call = coalesce(async (inputs: readonly string[]) => {
    if (inputs.includes("bad")) throw fault;
    return inputs;
  });
  const results = await Promise.allSettled(["a", "bad", "b"].map(call));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("if the database is unreachable, a whole batch fails after one try", async () => {
  let tries = 0;
  const call = coalesce(async (inputs: readonly string[]) => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error("no connection"), { code: "ECONNREFUSED", syscall: "connect" });
    return inputs;
  });
  const results = await Promise.allSettled(["a", "b"].map(call));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(tries).toBe(1);
  expect(await call("c")).toBe("c");
});

test("if the database becomes unreachable while a batch is tried one by one, the rest is not tried", async () => {
  const tried: (readonly string[])[] = [];
  const call = coalesce(async (inputs: readonly string[]) => {
    tried.push(inputs);
    if (inputs.length > 1) throw Object.assign(new Error("invalid text"), { code: "22P05" });
    if (inputs.includes("b")) throw Object.assign(new Error("no connection"), { code: "08006" });
    return inputs;
  });
  const results = await Promise.allSettled(["a", "b", "c"].map(call));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(tried).toEqual([["a", "b", "c"], ["a"], ["b"]]);
});
