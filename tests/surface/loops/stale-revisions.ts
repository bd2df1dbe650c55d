import { expect } from "vitest";
import { errorsOf, paramsOf } from "../../../contract/endpoint.ts";
import { endpointEntries } from "../../../contract/index.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

export const staleRevisionsAreRefused: Loop = {
  title: "%s refuses a stale If-Match and changes nothing",
  endpoints: endpointEntries.filter(
    ([, row]) => row.method !== "GET" && paramsOf(row.path).length > 0 && errorsOf(row).includes("revision_mismatch"),
  ),
  async check({ app, world, undoing }, [id]) {
    const send = (ifMatch: string) => callSample(app, id, world, { headers: { "if-match": ifMatch } });
    await changesNothing(app, async () => {
      const refused = await send('"0"');
      expect([refused.status, refused.body.message]).toEqual([412, "revision_mismatch"]);
    });
    expect((await undoing(() => send("*"))).status).toBeLessThan(300);
  },
};
