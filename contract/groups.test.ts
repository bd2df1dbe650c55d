import { expectTypeOf, test } from "vitest";
import { endpoints } from "./endpoint.ts";
import { joinGroups, type RepeatedIds } from "./groups.ts";
import type { contract } from "./index.ts";
import { Shape } from "./shapes.ts";

const endpoint = {
  method: "GET",
  path: "/api/x",
  summary: "x",
  access: "anyone",
  response: { status: 200, data: Shape({}) },
} as const;
const about = { section: "Access", description: "x" } as const;
const first = { ...about, title: "First", endpoints: endpoints({ getA: endpoint, getB: endpoint }) };
const second = { ...about, title: "Second", endpoints: endpoints({ getC: endpoint }) };
const repeating = { ...about, title: "Third", endpoints: endpoints({ getB: endpoint }) };

test("tables join into one, each endpoint with its own type", () => {
  const { endpoints: joined } = joinGroups([first, second]);
  expectTypeOf<keyof typeof joined>().toEqualTypeOf<"getA" | "getB" | "getC">();
  expectTypeOf<(typeof contract)["getEstimation"]["method"]>().toEqualTypeOf<"GET">();
});

test("an id that two tables have does not compile", () => {
  type Repeating = readonly [typeof first, typeof second, typeof repeating];
  expectTypeOf<RepeatedIds<Repeating>>().toEqualTypeOf<"getB">();
  expectTypeOf<Repeating>().not.toExtend<Parameters<typeof joinGroups<Repeating>>[0]>();
  type Distinct = readonly [typeof first, typeof second];
  expectTypeOf<Distinct>().toExtend<Parameters<typeof joinGroups<Distinct>>[0]>();
});
