import { expect } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { VISIBLE } from "../../../contract/shapes.ts";
import type { Loop } from "./loop.ts";

/** Patterns that ask for a visible character or one that is no space: their refusals have words of their own. */
const SAID_OTHERWISE: ReadonlySet<string> = new Set([VISIBLE, "\\S"]);

/** Returns every pattern in a schema, with its description in words. */
function patternsOf(schema: unknown): { pattern: string; form: unknown }[] {
  if (typeof schema !== "object" || schema === null) return [];
  // Patterns that only the published description has are not checked by these schemas; their refusals have texts of their own.
  const { "x-published": _, ...judged } = schema as Record<string, unknown>;
  const inner = Object.values(judged).flatMap(patternsOf);
  const { pattern, "x-form": form } = schema as { pattern?: unknown; "x-form"?: unknown };
  return typeof pattern === "string" ? [{ pattern, form }, ...inner] : inner;
}

/** Throws if a schema requires a form of text that it does not describe in words. */
export function expectFormsInWords(schema: unknown): void {
  const wordless = patternsOf(schema).filter(
    ({ pattern, form }) => !SAID_OTHERWISE.has(pattern) && typeof form !== "string",
  );
  expect(wordless).toEqual([]);
}

export const formsAreSaidInWords: Loop = {
  title: "%s describes every form of text that it requires",
  endpoints: endpointEntries,
  async check(_, [, { query, body }]) {
    expectFormsInWords({ query, body });
  },
};
