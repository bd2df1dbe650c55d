import { expect, test } from "vitest";
import { endpointRows } from "../../contract/index.ts";
import { components } from "../../contract/shapes.ts";

/** Every pattern in a schema, with the words that say it to people. */
function patternsOf(schema: unknown): { pattern: string; form: unknown }[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(patternsOf);
  const { pattern, "x-form": form } = schema as { pattern?: unknown; "x-form"?: unknown };
  return typeof pattern === "string" ? [{ pattern, form }, ...inner] : inner;
}

/** Components of requests: those that only answers have give ids out, and refuse nothing. */
const inputs = components.filter((schema) => /Input$/.test((schema as { $id?: string }).$id ?? ""));

test.each([
  ...endpointRows.map(([id, { query, body }]) => [id, { query, body }] as const),
  ...inputs.map((schema) => [(schema as { $id?: string }).$id ?? "", schema] as const),
])("%s says every form of text that it wants in words", (_, schemas) => {
  const wordless = patternsOf(schemas).filter(({ pattern, form }) => pattern !== "\\S" && typeof form !== "string");
  expect(wordless).toEqual([]);
});
