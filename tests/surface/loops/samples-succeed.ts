import { expect } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

/** The harness also judges the response by the published description. */
export const samplesSucceed: Loop = {
  title: "%s responds to its sample with the declared status and shape (V7.2.1)",
  endpoints: endpointEntries,
  async check({ app, world, undoing }, [id, { response, etag }]) {
    const [received, repeated] = await undoing(async () => [
      await callSample(app, id, world),
      "found" in response && response.found ? await callSample(app, id, world) : null,
    ]);
    expect([received.status, received.body.message]).toEqual([response.status, undefined]);
    // The same request again finds what the first one made.
    if (repeated) expect([repeated.status, repeated.body.message]).toEqual([200, undefined]);
    if ("location" in response) expect(URL.canParse(received.headers.get("location") ?? "")).toBe(true);
    else if ("data" in response) expect(received.body.success).toBe(true);
    if ("file" in response) expect(received.headers.get("content-disposition")).toMatch(/^attachment; filename/);
    // Sessions are tokens; only a sign-in at a provider stores something in the browser.
    if (!("location" in response)) expect(received.headers.get("set-cookie")).toBeNull();
    expect(received.headers.has("etag")).toBe(etag === true);
    expect(received.headers.get("ratelimit-policy")).toMatch(/^"default";q=\d+;w=60$/);
    expect(received.headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
  },
};
