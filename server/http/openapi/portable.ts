export type Json = Record<string, unknown>;

/**
 * Returns a copy of a schema for any validator: it refers to components in OpenAPI's way, and the contract's own keywords
 * are words of its description. `x-published` holds keywords
 * for what the service judges by itself, with an error of its own.
 */
export function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== "$id" && !key.startsWith("x-"));
  const copy = Object.fromEntries(
    entries.map(([key, value]) =>
      key === "$ref" && typeof value === "string"
        ? [key, `#/components/schemas/${value.slice(0, -1)}`]
        : [key, portable(value)],
    ),
  );
  const { "x-decimals": decimals, "x-published": published } = schema as Json;
  Object.assign(copy, published);
  if (typeof decimals !== "number") return copy;
  return { ...copy, description: [copy.description, `At most ${decimals} decimals`].filter(Boolean).join(". ") };
}

/** Returns the `content` of a body in JSON, with an example where there is one. */
export const json = (schema: unknown, example?: unknown): Json => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});
