import { describe, expect, test } from "vitest";
import { bodyValuesOf, type Endpoint } from "../../contract/endpoint.ts";
import { contract, type EndpointId, endpointEntries } from "../../contract/index.ts";
import { limits } from "../../contract/limits.ts";
import { start } from "../harness.ts";
import { callSample } from "./call.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const app = await start({ config: sampleConfig });
const world = await makeWorld(app);

describe("bodies of many tiny values", () => {
  test("may have more than 20,000 values only for trees, timelines or decisions about them", () => {
    const more = endpointEntries.filter(([, row]) => row.method !== "GET" && bodyValuesOf(row) > 20_000);
    expect(Object.fromEntries(more.map(([id, row]) => [id, bodyValuesOf(row)]))).toEqual({
      replaceTree: 420_000,
      updateNode: 100_000,
      updateOption: 100_000,
      mergeThread: 30_000,
      updateTimeline: 40_000,
    });
  });

  const tiny = (values: number) => `{"nodes":[${"{},".repeat((values - 3) / 2)}{}]}`;

  test.each(["replaceTree", "createEstimation"] as EndpointId[])(
    "of %s are refused for the number of values, before they are parsed",
    async (id) => {
      const bound = bodyValuesOf(contract[id] as Endpoint);
      const within = await callSample(app, id, world, { body: tiny(bound - 1) });
      expect([within.status, within.body.message]).toEqual([400, "validation_failed"]);
      expect(within.body.errors?.[0]?.message).not.toContain("values");
      const beyond = await callSample(app, id, world, { body: tiny(bound + 3) });
      expect([beyond.status, beyond.body.errors]).toEqual([
        400,
        [
          {
            path: "",
            in: "body",
            code: "too_many",
            message: `must not hold more than ${bound} values`,
            expected: bound,
          },
        ],
      ]);
    },
  );
});

test("the largest legal tree can be sent, and sent back with its problems", () => {
  const option = { ...fields(8), requires: [], excludes: [], hours: fields(3), override: fields(3), nodes: [] };
  const perOption = commasAndBrackets(option) + 1;
  const perNode = commasAndBrackets({ ...fields(7), options: [] }) + 1;
  const tree = limits.treeOptions * perOption + limits.treeNodes * perNode + limits.treeLinks;
  const problems = (limits.treeLinks + limits.treeNodes) * (commasAndBrackets(fields(5)) + 1);
  expect(tree + problems).toBeLessThanOrEqual(limits.treeBodyValues);
});

const commasAndBrackets = (value: unknown): number => JSON.stringify(value).match(/[,[{]/g)?.length ?? 0;

/** An object of `count` plain fields. */
function fields(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));
}
