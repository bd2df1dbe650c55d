import { expect } from "vitest";
import { endpointRows } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

/** The harness also compares the answer with its schema, and turns one that differs into a 500. */
export const samplesSucceed: Loop = {
  title: "%s answers its sample with the declared status and shape",
  rows: endpointRows,
  async check({ app, world, undoing }, [id, { reply, etag }]) {
    const [answer, repeated] = await undoing(async () => [
      await callSample(app, id, world),
      "found" in reply && reply.found ? await callSample(app, id, world) : null,
    ]);
    expect([answer.status, answer.body.message]).toEqual([reply.status, undefined]);
    // The same request again finds what the first one made.
    if (repeated) expect([repeated.status, repeated.body.message]).toEqual([200, undefined]);
    if ("location" in reply) expect(URL.canParse(answer.headers.get("location") ?? "")).toBe(true);
    else if ("data" in reply) expect(answer.body.success).toBe(true);
    if ("file" in reply) expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename/);
    // Sessions are tokens; only a sign-in at a provider stores something in the browser.
    if (!("location" in reply)) expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.has("etag")).toBe(etag === true);
    expect(answer.headers.get("ratelimit-policy")).toMatch(/^"default";q=\d+;w=60$/);
    expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
  },
};
