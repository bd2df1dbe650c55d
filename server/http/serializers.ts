import build, { type AnySchema, type Schema } from "fast-json-stringify";
import { components } from "../../contract/index.ts";

type Serialize = (data: unknown) => string;

const shared = Object.fromEntries(components.map((schema) => [schema.$id, schema as Schema]));

/** For every schema once, also where a process starts the service several times, as tests do. */
const built = new WeakMap<object, Serialize>();

/**
 * Returns what writes responses of a schema as JSON. It is built when the first response is written: building those of
 * all rows would take a third of a start.
 */
export const serializerCompiler = ({ schema }: { readonly schema: unknown }): Serialize => {
  let serialize: Serialize | undefined;
  return (data) => {
    serialize ??= serializerOf(schema as object);
    return serialize(data);
  };
};

function serializerOf(schema: object): Serialize {
  const serialize = built.get(schema) ?? build(schema as AnySchema, { schema: shared });
  built.set(schema, serialize);
  return serialize;
}
