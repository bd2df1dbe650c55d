export type Json = Record<string, unknown>;

/** Returns a copy of a schema that refers to components in OpenAPI's way. */
export function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== "$id");
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key === "$ref" && typeof value === "string"
        ? [key, `#/components/schemas/${value.slice(0, -1)}`]
        : [key, portable(value)],
    ),
  );
}

/** Returns the `content` of a body in JSON. */
export const json = (schema: unknown): Json => ({ "application/json": { schema } });
