import { expect } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

export const madeIsAtItsLocation: Loop = {
  title: "the record made by %s is at its Location",
  endpoints: endpointEntries.filter(([, { response }]) => response.status === 201),
  async check({ app, world, undoing }, [id, { response }]) {
    const received = await undoing(() => callSample(app, id, world));
    const location = received.headers.get("location") ?? "";
    const [record] = Object.values(received.data);
    expect(location).toMatch(/^\/api\/[^:]+$/);
    if (!location.endsWith("/me")) expect(location.endsWith(String(record?.id))).toBe(true);
    expect("created" in response).toBe(true);
  },
};
