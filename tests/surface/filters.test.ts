import type { TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { endpointRows } from "../../contract/index.ts";

/** Parameters of lists that choose one of several ways, and filter nothing. */
const CHOICES = ["sort"];

/** Whether a value is one of a list that has others. */
const isChosen = (schema: { enum?: unknown } | undefined): boolean =>
  Array.isArray(schema?.enum) && schema.enum.length > 1;

const lists = endpointRows.flatMap(([id, { query }]) => {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, TSchema & { enum?: unknown }> };
  return "cursor" in properties ? [[id, properties] as const] : [];
});

describe("the filters of lists", () => {
  test.each(lists)("of %s take several values if their values are listed", (_, properties) => {
    const single = Object.keys(properties).filter((name) => isChosen(properties[name]) && !CHOICES.includes(name));
    expect(single).toEqual([]);
  });

  test.each(lists)("of %s limit the number of values, and accept each once", (_, properties) => {
    for (const schema of Object.values(properties)) {
      const { type, maxItems, uniqueItems } = schema as { type?: string; maxItems?: number; uniqueItems?: boolean };
      if (type !== "array") continue;
      expect([uniqueItems, (maxItems ?? Number.POSITIVE_INFINITY) <= 20]).toEqual([true, true]);
    }
  });
});
