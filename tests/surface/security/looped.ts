import { expect } from "vitest";
import type { Endpoint } from "../../../contract/endpoint.ts";
import { type EndpointId, endpointEntries } from "../../../contract/index.ts";
import { loops } from "../loops/index.ts";
import type { Loop } from "../loops/loop.ts";

/** Ids of the endpoints that `wanted` accepts. */
export const idsOf = (wanted: (row: Endpoint) => boolean): EndpointId[] =>
  endpointEntries.filter(([, row]) => wanted(row)).map(([id]) => id);

/** Checks that `loops.test.ts` runs a loop, and that it does so for exactly these endpoints. */
export function expectLooped(loop: Loop, ids: readonly EndpointId[]): void {
  expect(Object.values(loops)).toContain(loop);
  expect(loop.endpoints.map(([id]) => id)).toEqual(ids);
}
