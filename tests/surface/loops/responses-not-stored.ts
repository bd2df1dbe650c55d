import { expect } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

export const responsesAreNotStored: Loop = {
  title: "%s forbids caches to store its responses, successes and refusals (V14.3.2)",
  endpoints: endpointEntries,
  async check({ app, world, undoing }, [id]) {
    const responses = await undoing(async () => [
      await callSample(app, id, world, { query: "nonsense=1" }),
      await callSample(app, id, world),
    ]);
    for (const { status, headers } of responses)
      expect([status, headers.get("cache-control")]).toEqual([status, "no-store"]);
  },
};
