import type { TSchema } from "typebox";
import { expect } from "vitest";
import type { Endpoint } from "../../../contract/endpoint.ts";
import { lists } from "./cursors.ts";
import type { Loop } from "./loop.ts";

/** Parameters of lists that choose one of several ways, and filter nothing. */
const CHOICES = ["sort", "role"];

type Parameters = Readonly<Record<string, TSchema & { readonly enum?: unknown }>>;

const parametersOf = ({ query }: Endpoint): Parameters =>
  ((query ?? {}) as { properties?: Parameters }).properties ?? {};

/** Whether a value is one of a list that has others. */
const isChosen = (schema: { enum?: unknown } | undefined): boolean =>
  Array.isArray(schema?.enum) && schema.enum.length > 1;

export const filtersTakeSeveralValues: Loop = {
  title: "the filters of %s accept several values if their values are listed",
  endpoints: lists,
  async check(_, [, row]) {
    const given = parametersOf(row);
    const single = Object.keys(given).filter((name) => isChosen(given[name]) && !CHOICES.includes(name));
    expect(single).toEqual([]);
  },
};

export const filtersAreBounded: Loop = {
  title: "the filters of %s limit the number of values, and accept each once",
  endpoints: lists,
  async check(_, [, row]) {
    for (const schema of Object.values(parametersOf(row))) {
      const { type, maxItems, uniqueItems } = schema as { type?: string; maxItems?: number; uniqueItems?: boolean };
      if (type !== "array") continue;
      expect([uniqueItems, (maxItems ?? Number.POSITIVE_INFINITY) <= 20]).toEqual([true, true]);
    }
  },
};
