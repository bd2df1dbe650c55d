import { expect } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { numberParametersOf } from "../../../server/http/validation/validation.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample, queryOf, sampleOf } from "../call.ts";
import type { Loop } from "./loop.ts";

export const wrongBodiesAreRefused: Loop = {
  title: "%s refuses an unknown field, a wrong type and no body at all, and changes nothing (V3.5.2, V15.3.3)",
  endpoints: endpointEntries.filter(([, { body }]) => body !== undefined),
  async check({ app, world }, [id, { bodyOptional }]) {
    const sample = sampleOf(id, world).body ?? {};
    const whole = { title: "x", name: "x", ...sample };
    // A code of any type gets the error of an unknown one.
    const bodies: unknown[] = [
      { ...whole, surprise: true },
      [],
      "text",
      7,
      null,
      ...(id === "exchangeCode" ? [] : [{ [Object.keys(sample)[0] ?? "x"]: { a: [] } }]),
    ];
    await changesNothing(app, async () => {
      for (const body of bodies) {
        const response = await callSample(app, id, world, { body: JSON.stringify(body) });
        expect([response.status, response.body.message]).toEqual([400, "validation_failed"]);
      }
      if (!bodyOptional) expect((await callSample(app, id, world, { body: undefined })).status).toBe(400);
      expect((await callSample(app, id, world, { body: "{" })).body.message).toBe("invalid_json");
      expect((await callSample(app, id, world, { headers: { "content-type": "text/plain" } })).status).toBe(415);
    });
  },
};

export const unknownQueriesAreRefused: Loop = {
  title: "%s refuses unknown query parameters, and changes nothing",
  // An open query accepts whatever a third party adds to the address.
  endpoints: endpointEntries.filter(([, { query }]) => !query || "additionalProperties" in query),
  async check({ app, world }, [id, { query: parameters }]) {
    const names = Object.keys((parameters as { properties?: object } | undefined)?.properties ?? {});
    const query = queryOf({ ...sampleOf(id, world).query, surprise: "1" });
    const response = await changesNothing(app, () => callSample(app, id, world, { query }));
    const row = { path: "/surprise", in: "query", code: "unknown_field", message: "is not a known parameter" };
    expect([response.status, response.body.errors]).toEqual([
      400,
      [names.length > 0 ? { ...row, expected: names } : row],
    ]);
  },
};

/** Each is read as a number by JavaScript, or nearly. */
const ODD_NUMBERS = ["1e999", "-1e999", "9".repeat(400), "Infinity", "0x10", "1e1", "%205", ""];

export const oddNumbersAreRefused: Loop = {
  title: "%s refuses numbers in its query that are not written in plain digits",
  endpoints: endpointEntries.filter(([, { query }]) => query && numberParametersOf(query).length > 0),
  async check({ app, world }, [id, { query = {} }]) {
    for (const name of numberParametersOf(query)) {
      for (const text of ODD_NUMBERS) {
        const { [name]: _, ...others } = sampleOf(id, world).query ?? {};
        const response = await callSample(app, id, world, { query: `${queryOf(others)}&${name}=${text}` });
        const [fault] = (response.body.errors as unknown as { path: string; code: string }[] | undefined) ?? [];
        expect([response.status, fault?.path, fault?.code]).toEqual([400, `/${name}`, "wrong_type"]);
      }
    }
  },
};
