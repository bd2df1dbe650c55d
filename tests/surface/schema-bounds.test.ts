import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { components, endpointEntries } from "../../contract/index.ts";

/** The parts of a schema in which others stand. */
interface Seen {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Seen>>;
  readonly patternProperties?: Readonly<Record<string, Seen>>;
  readonly items?: Seen;
  readonly anyOf?: readonly Seen[];
}

const named = new Map(components.map((schema) => [`${schema.$id}#`, schema as TSchema as Seen]));

/** Returns the paths of the lists in a schema, and of its objects with free names, that may be of any length. */
function unbounded(schema: Seen, path = "", within: readonly string[] = []): string[] {
  const { $ref, type, maxItems, maxProperties, properties = {}, patternProperties = {}, items, anyOf = [] } = schema;
  if ($ref !== undefined) {
    const target = named.get($ref);
    if (!target) throw new Error(`there is no ${$ref}`);
    return within.includes($ref) ? [] : unbounded(target, path, [...within, $ref]);
  }
  const isOpen =
    ([type].flat().includes("array") && maxItems === undefined) ||
    (Object.keys(patternProperties).length > 0 && maxProperties === undefined);
  const below: [string, Seen][] = [
    ...Object.entries(properties).map(([name, each]): [string, Seen] => [`${path}/${name}`, each]),
    ...Object.values(patternProperties).map((each): [string, Seen] => [`${path}/*`, each]),
    ...anyOf.map((each): [string, Seen] => [path, each]),
    ...(items ? [[`${path}/*`, items] as [string, Seen]] : []),
  ];
  return [...(isOpen ? [path] : []), ...below.flatMap(([at, each]) => unbounded(each, at, within))];
}

test.each(endpointEntries.filter(([, { body }]) => body))("every list in the body of %s has a limit", (_, { body }) => {
  expect(unbounded(body as TSchema as Seen)).toEqual([]);
});

test("a list without a limit is found at any depth", () => {
  const list = { type: "array", items: { type: "string" } };
  const free = { type: "object", patternProperties: { ".*": { type: ["array", "null"] } } };
  const schema = { type: "object", properties: { a: list, b: { anyOf: [{ $ref: "NodeInput#" }, list] }, c: free } };
  expect(unbounded(schema)).toEqual(["/a", "/b", "/c", "/c/*"]);
});
