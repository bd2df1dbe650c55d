import Type, { type Static } from "typebox";
import { OneOf, Shape } from "../shapes.ts";

/** The parts of a request that can have a fault. */
const requestParts = ["body", "query", "header", "path"] as const;
export type RequestPart = (typeof requestParts)[number];

/** Where a fault can be: in the request, or in the stored decision tree. */
const faultyParts = [...requestParts, "tree"] as const;

/** What can be wrong with a value. Programs match on the code. */
export const faultCodes = {
  required: "It is missing",
  unknown_field: "No field or parameter of this name is accepted here; `expected` lists the names that are",
  read_only: "It differs from the record, and this endpoint does not change it",
  wrong_type: "Its type is not the one in `expected`",
  not_one_of: "It is not one of the values in `expected`",
  wrong_format: "It does not have the form in `expected`",
  blank: "It is text that consists of white space only",
  unstorable: "It is text that contains a NUL character or half a surrogate pair",
  too_short: "It is text with fewer characters than `expected`",
  too_long: "It is text with more characters than `expected`",
  too_small: "It is a number below `expected`",
  too_large: "It is a number above `expected`, or makes a total exceed its limit",
  out_of_range: "It is a number outside the range in `message`",
  too_many_decimals: "It is a number with more decimals than are stored",
  too_few: "It is a list with fewer entries than `expected`",
  too_many: "It is a list with more entries than `expected`, or makes a count exceed its limit",
  too_deep: "It is nested deeper than is allowed",
  repeated: "It is given more than once in the same place",
  out_of_order: "It is too small or too large compared with another value of the request",
  invalid_cursor: "It is not a cursor of this list",
  unknown_reference: "It names something that does not exist here",
  self_reference: "It refers to itself",
  cycle: "It is part of a cycle",
  still_referred_to: "It would be deleted, but something that stays refers to it; `at` says where",
  several_selected: "A single-choice node would have more than one selected option",
  common_password: "It is one of the most common passwords",
  guessable_password: "It is the account's own address or name, or the service's name",
  not_allowed: "It is well-formed, but not allowed here",
  incomplete: "The stored decision tree is not complete here; `problem` says why",
  secret_in_address: "It is an API key, which a URL must not contain",
} as const;

export type FaultCode = keyof typeof faultCodes;

/** One fault of a request: a row of `errors`. */
export const faultColumns = {
  path: Type.String({ description: "JSON pointer into the part that `in` names; empty for the whole part" }),
  in: OneOf(faultyParts),
  code: OneOf(Object.keys(faultCodes) as FaultCode[], { description: "The code to match on" }),
  message: Type.String({ description: "What to do about it, as text for people" }),
  expected: Type.Optional(
    Type.Unsafe<string | number | readonly (string | number)[]>({
      type: ["string", "number", "array"],
      items: { type: ["string", "number"] },
      description: "What is accepted: a limit, a type, a form, or a list of values or of field names",
    }),
  ),
  suggestion: Type.Optional(Type.String({ description: "The value that was probably meant" })),
};

const FaultRow = Shape(faultColumns);
export type Fault = Static<typeof FaultRow>;
