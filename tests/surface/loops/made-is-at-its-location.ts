import { expect } from "vitest";
import { endpointRows } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

export const madeIsAtItsLocation: Loop = {
  title: "what was made by %s is at its Location",
  rows: endpointRows.filter(([, { reply }]) => reply.status === 201),
  async check({ app, world, undoing }, [id, { reply }]) {
    const answer = await undoing(() => callSample(app, id, world));
    const location = answer.headers.get("location") ?? "";
    const [record] = Object.values(answer.data);
    expect(location).toMatch(/^\/api\/[^:]+$/);
    if (!location.endsWith("/me")) expect(location.endsWith(String(record?.id))).toBe(true);
    expect("created" in reply).toBe(true);
  },
};
