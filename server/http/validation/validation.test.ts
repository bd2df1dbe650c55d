import Type from "typebox";
import { expect, test } from "vitest";
import { Hours } from "../../../contract/shapes.ts";
import { Failure } from "../failure.ts";
import { validation } from "./validation.ts";

const { body, query } = validation;
const faultsOf = (check: () => void) => {
  try {
    check();
    return [];
  } catch (error) {
    return error instanceof Failure ? error.faults : error;
  }
};

test("two decimals are counted exactly, for small numbers and for large ones", () => {
  const check = body(Type.Object({ hours: Hours() }));
  for (const hours of [0, 0.01, 0.07, 0.29, 1.005e2, 123_456_789.07, 9_999_999_999_999.99, 1e13]) {
    expect(faultsOf(() => check({ hours }))).toEqual([]);
  }
  for (const hours of [0.001, 0.071, 123_456_789.071, 1e-7]) {
    expect(faultsOf(() => check({ hours }))).toMatchObject([{ path: "/hours", code: "too_many_decimals" }]);
  }
});

test("a body's values are never converted, those of a query are", () => {
  const schema = Type.Object({ limit: Type.Integer({ default: 20 }) });
  expect(faultsOf(() => body(schema)({ limit: "5" }))).toHaveLength(1);
  const given = { limit: "5" };
  query(schema)(given);
  expect(given).toEqual({ limit: 5 });
  const absent: { limit?: number } = {};
  query(schema)(absent);
  expect(absent).toEqual({ limit: 20 });
});

test.each([
  ["5", 5],
  ["05", 5],
  ["-5", -5],
  ["9007199254740991", 9_007_199_254_740_991],
])("the number %s in a query is accepted", (text, number) => {
  const given = { limit: text };
  query(Type.Object({ limit: Type.Integer() }))(given);
  expect(given).toEqual({ limit: number });
});

test.each([
  "1e999",
  "-1e999",
  "9".repeat(400),
  "Infinity",
  "-Infinity",
  "NaN",
  "1e2",
  "0x10",
  " 5",
  "+5",
  "5.5",
  "5.",
  "",
])("the number '%s' in a query is refused", (text) => {
  const check = query(Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100 }) }));
  expect(faultsOf(() => check({ limit: text }))).toEqual([
    { path: "/limit", in: "query", code: "wrong_type", message: "must be a whole number", expected: "integer" },
  ]);
});

test("names of fields are escaped in the pointer", () => {
  const check = body(Type.Object({}, { additionalProperties: false }));
  expect(faultsOf(() => check({ "a/b~c": 1 }))).toEqual([
    { path: "/a~1b~0c", in: "body", code: "unknown_field", message: "is not a known field" },
  ]);
});
