import { expect, test } from "vitest";
import { components } from "../../contract/shapes.ts";
import { expectFormsInWords } from "./loops/forms.ts";

/** Components of requests: those that only responses have return ids, and refuse nothing. */
const inputs = components.filter((schema) => /Input$/.test((schema as { $id?: string }).$id ?? ""));

test.each(inputs.map((schema) => [(schema as { $id?: string }).$id ?? "", schema] as const))(
  "%s describes every form of text that it requires",
  (_, schema) => expectFormsInWords(schema),
);

test("a form without a description is found at any depth", () => {
  expect(inputs.length).toBeGreaterThan(0);
  const deep = (schema: object) => ({ properties: { nodes: { items: { anyOf: [schema] } } } });
  expectFormsInWords(deep({ type: "string", pattern: "^a$", "x-form": "the letter a" }));
  expect(() => expectFormsInWords(deep({ type: "string", pattern: "^a$" }))).toThrow(/\^a\$/);
});
