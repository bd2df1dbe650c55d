export type Json = Record<string, unknown>;

/** Where OpenAPI has a component. */
const inOpenApi = (name: string): string => `#/components/schemas/${name}`;

/**
 * Returns a copy of a schema for any validator: it refers to components by `refTo`, in OpenAPI's way by default, and the contract's own
 * keywords are words of its description. `x-published` holds keywords for what the service judges by itself, with an error of its own.
 */
export function portable(schema: unknown, refTo: (name: string) => string = inOpenApi): unknown {
  if (Array.isArray(schema)) return schema.map((one) => portable(one, refTo));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== "$id" && !key.startsWith("x-"));
  const copy = Object.fromEntries(
    entries.map(([key, value]) =>
      key === "$ref" && typeof value === "string" ? [key, refTo(value.slice(0, -1))] : [key, portable(value, refTo)],
    ),
  );
  const { "x-decimals": decimals, "x-published": published } = schema as Json;
  Object.assign(copy, published);
  if (typeof decimals !== "number") return copy;
  return { ...copy, description: [copy.description, `At most ${decimals} decimals`].filter(Boolean).join(". ") };
}
