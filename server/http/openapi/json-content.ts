import type { Json } from "../../../contract/portable.ts";

/** Returns the `content` of a body in JSON, with an example where there is one. */
export const json = (schema: unknown, example?: unknown): Json => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});
