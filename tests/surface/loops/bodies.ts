import type { TSchema } from "typebox";
import { expect } from "vitest";
import { bodyBytesOf, bodyValuesOf } from "../../../contract/endpoint.ts";
import { endpointEntries } from "../../../contract/index.ts";
import { limits } from "../../../contract/limits.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";

type Schema = TSchema & {
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly maxItems?: number;
};

const isList = ({ type }: Schema) => [type].flat().includes("array");

/** Returns how many commas and brackets the largest value of `schema` has; ignored fields and trees count as 0. */
function largest(schema: Schema): number {
  if (isList(schema)) return 1 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + largest(schema.items as Schema));
  const fields = Object.values(schema.properties ?? {});
  return fields.length === 0 ? 0 : 1 + fields.reduce((sum, field) => sum + 1 + largest(field), 0);
}

export const bodiesHoldWhatTheyMay: Loop = {
  title: "%s accepts as many values as its schema allows, and every list in it has a limit",
  endpoints: endpointEntries.filter(([, { body }]) => body !== undefined),
  async check(_, [, endpoint]) {
    expect(largest(endpoint.body as Schema)).toBeLessThanOrEqual(bodyValuesOf(endpoint));
  },
};

export const bodiesUnderAuthAreSmall: Loop = {
  title: "%s accepts 16 KiB and not a byte more",
  endpoints: endpointEntries.filter(
    // What has a limit of its own has a test of its own.
    ([, { method, path, bodyLimitBytes }]) =>
      method !== "GET" && path.startsWith("/api/auth/") && bodyLimitBytes === undefined,
  ),
  async check({ app, world, undoing }, [id, endpoint]) {
    expect(bodyBytesOf(endpoint)).toBe(limits.authBodyBytes);
    const body = (bytes: number) => `{"x":1${" ".repeat(bytes - 7)}}`;
    await undoing(async () => {
      const fits = await callSample(app, id, world, { body: body(limits.authBodyBytes) });
      expect([fits.status, fits.body.message]).not.toContain("payload_too_large");
      const beyond = await callSample(app, id, world, { body: body(limits.authBodyBytes + 1) });
      expect([beyond.status, beyond.body.message]).toEqual([413, "payload_too_large"]);
      expect(beyond.body.details?.limitBytes).toBe(limits.authBodyBytes);
    });
  },
};
