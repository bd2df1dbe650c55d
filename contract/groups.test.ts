import { expectTypeOf, test } from "vitest";
import { endpoints } from "./endpoint.ts";
import { joinRows, type RepeatedIds } from "./groups.ts";
import type { contract } from "./index.ts";
import { Shape } from "./shapes.ts";

const row = {
  method: "GET",
  path: "/api/x",
  summary: "x",
  access: "anyone",
  response: { status: 200, data: Shape({}) },
} as const;
const about = { section: "Access", description: "x" } as const;
const first = { ...about, title: "First", rows: endpoints({ getA: row, getB: row }) };
const second = { ...about, title: "Second", rows: endpoints({ getC: row }) };
const repeating = { ...about, title: "Third", rows: endpoints({ getB: row }) };

test("tables join into one, each endpoint with its own type", () => {
  const { rows } = joinRows([first, second]);
  expectTypeOf<keyof typeof rows>().toEqualTypeOf<"getA" | "getB" | "getC">();
  expectTypeOf<(typeof contract)["getEstimation"]["method"]>().toEqualTypeOf<"GET">();
});

test("an id that two tables have does not compile", () => {
  type Repeating = readonly [typeof first, typeof second, typeof repeating];
  expectTypeOf<RepeatedIds<Repeating>>().toEqualTypeOf<"getB">();
  expectTypeOf<Repeating>().not.toExtend<Parameters<typeof joinRows<Repeating>>[0]>();
  type Distinct = readonly [typeof first, typeof second];
  expectTypeOf<Distinct>().toExtend<Parameters<typeof joinRows<Distinct>>[0]>();
});
