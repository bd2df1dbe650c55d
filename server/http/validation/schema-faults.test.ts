import Type, { type TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { Change, Email, Hours, Nullable, OneOf, Shape, Text, Title } from "../../../contract/shapes.ts";
import { CreateOption } from "../../../contract/values/tree-input.ts";
import { Failure } from "../failure.ts";
import { validation } from "./validation.ts";

const { body, query } = validation;

function rowsOf(check: (value: unknown) => void, value: unknown) {
  try {
    check(value);
    return [];
  } catch (error) {
    if (error instanceof Failure) return error.faults ?? [];
    throw error;
  }
}
const rowOf = (schema: TSchema, value: unknown) => {
  const rows = rowsOf(body(Shape({ x: schema })), { x: value });
  expect(rows).toHaveLength(1);
  return rows[0];
};

test("every fault has a row, up to the limit", () => {
  const faulty = (count: number) => ({ x: Array(count).fill(1) });
  const check = body(Shape({ x: Type.Array(Type.String()) }));
  expect(rowsOf(check, faulty(limits.reportedFaults - 1))).toHaveLength(limits.reportedFaults - 1);
  expect(rowsOf(check, faulty(limits.reportedFaults + 1))).toHaveLength(limits.reportedFaults);
});

describe("a row of errors", () => {
  test.each<[string, TSchema, unknown, object]>([
    ["text", Type.String(), 5, { code: "wrong_type", message: "must be text", expected: "string" }],
    ["a whole number", Type.Integer(), 1.5, { code: "wrong_type", message: "must be a whole number" }],
    ["text or nothing", Nullable(Type.String()), 5, { message: "must be text or null", expected: ["string", "null"] }],
    ["an object", Shape({}), [], { code: "wrong_type", message: "must be an object" }],
    ["a list", Type.Array(Type.String()), {}, { code: "wrong_type", message: "must be a list of texts" }],
    ["a truth value", Type.Boolean(), "true", { code: "wrong_type", message: "must be true or false" }],
    ["a title", Title(5), "", { code: "too_short", message: "must not be empty", expected: 1 }],
    ["a blank title", Title(5), "  ", { code: "blank", message: "must have a visible character" }],
    ["an invisible title", Title(5), "\u200b\u2060\ufeff", { code: "blank", message: "must have a visible character" }],
    ["a long title", Title(5), "123456", { code: "too_long", message: "must have at most 5 characters", expected: 5 }],
    ["hours below", Hours(9), -1, { code: "too_small", message: "must be at least 0", expected: 0 }],
    ["hours above", Hours(9), 10, { code: "too_large", message: "must be at most 9", expected: 9 }],
    [
      "decimals",
      Hours(9),
      0.001,
      { code: "too_many_decimals", message: "must have at most two decimals", expected: 2 },
    ],
    [
      "one of",
      OneOf(["draft", "open"]),
      "Draft",
      { code: "not_one_of", message: "must be one of draft, open", suggestion: "draft" },
    ],
    ["the only value", OneOf(["all"]), "some", { code: "not_one_of", message: "must be all", expected: ["all"] }],
    [
      "hours in words",
      CreateOption,
      { title: "x", hours: "three" },
      {
        path: "/x/hours",
        message: "must be a number of hours, an object with optimistic, likely and pessimistic, or null",
        expected: ["object", "number", "null"],
      },
    ],
    [
      "a list too long",
      Type.Array(Text(9), { maxItems: 1 }),
      ["a", "b"],
      { code: "too_many", message: "must have at most 1 entry" },
    ],
    [
      "a repeated entry",
      Type.Array(Text(9), { uniqueItems: true }),
      ["a", "b", "a"],
      { path: "/x/2", code: "repeated", message: "must not be given twice" },
    ],
    [
      "an address",
      Email,
      "ada",
      { code: "wrong_format", message: "must be an e-mail address", expected: "an e-mail address" },
    ],
    [
      "an instant",
      Type.String({ format: "date-time" }),
      "now",
      { code: "wrong_format", message: expect.stringMatching(/^must be an RFC 3339 time/) },
    ],
  ])("about %s says what would be right", (_, schema, value, row) => {
    expect(rowOf(schema, value)).toMatchObject({ path: "/x", in: "body", ...row });
  });

  test("for a missing or unknown field names the field", () => {
    const check = body(Shape({ title: Type.String() }));
    expect(rowsOf(check, { titel: "x" })).toEqual([
      { path: "/title", in: "body", code: "required", message: "is required" },
      {
        path: "/titel",
        in: "body",
        code: "unknown_field",
        message: "is not a known field",
        expected: ["title"],
        suggestion: "title",
      },
    ]);
  });

  test("for an unknown field lists the fields that can be set", () => {
    const check = body(Change({ title: Type.String() }, { matching: ["id"], derived: ["updatedAt"] }));
    expect(rowsOf(check, { surprise: 1 })).toMatchObject([{ path: "/surprise", expected: ["title"] }]);
    expect(rowsOf(body(Shape({})), { surprise: 1 })[0]).not.toHaveProperty("expected");
  });

  test("for the query says that it is in the query", () => {
    const check = query(Shape({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }));
    expect(rowsOf(check, { pageSize: "5" })).toEqual([
      {
        path: "/pageSize",
        in: "query",
        code: "unknown_field",
        message: "is not a known parameter",
        expected: ["limit"],
        suggestion: "limit",
      },
    ]);
    expect(rowsOf(check, { limit: "0" })).toMatchObject([{ path: "/limit", in: "query", code: "too_small" }]);
    expect(rowsOf(check, { limit: "many" })).toMatchObject([{ path: "/limit", message: "must be a whole number" }]);
  });
});

test("each fault has one row, however many rules a value breaks", () => {
  const check = body(Shape({ a: Title(3), b: Email, c: Type.Array(Title(3), { maxItems: 1, uniqueItems: true }) }));
  const rows = rowsOf(check, { a: "", b: "", c: ["", ""] });
  expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
  expect(rows.map(({ path }) => path)).toEqual(expect.arrayContaining(["/a", "/b", "/c"]));
});
