import build, { type AnySchema, type Schema } from "fast-json-stringify";
import { components } from "../../../contract/index.ts";

type Serialize = (data: unknown) => string;

const shared = new Map(components.map((schema) => [schema.$id, schema as Schema]));

/** For every schema once, also where a process starts the service several times, as tests do. */
const built = new WeakMap<object, Serialize>();

/**
 * Returns what writes responses of a schema as JSON. It is built when the first response is written: building those of
 * all endpoints would take a third of a start.
 */
export const serializerCompiler = ({ schema }: { readonly schema: unknown }): Serialize => {
  let serialize: Serialize | undefined;
  return (data) => {
    serialize ??= serializerOf(schema as object);
    return serialize(data);
  };
};

function serializerOf(schema: object): Serialize {
  const serialize = built.get(schema) ?? build(schema as AnySchema, { schema: componentsIn(schema) });
  built.set(schema, serialize);
  return serialize;
}

/**
 * Returns the components that a part of a schema refers to, also through others. The compiler prepares whatever it is
 * given, and nearly every response uses one or two of the components: with all of them it would take four times as long.
 */
function componentsIn(part: unknown, found: Record<string, Schema> = {}): Record<string, Schema> {
  if (typeof part !== "object" || part === null) return found;
  const { $ref } = part as { readonly $ref?: unknown };
  const id = typeof $ref === "string" ? $ref.replace(/#.*$/, "") : "";
  const component = shared.get(id);
  if (component && !(id in found)) {
    found[id] = component;
    componentsIn(component, found);
  }
  for (const inner of Object.values(part)) componentsIn(inner, found);
  return found;
}
