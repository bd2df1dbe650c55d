import Type, { type Static } from "typebox";
import { OneOf, Shape } from "./shapes.ts";

/** The parts of a request in which a fault can be. */
const requestParts = ["body", "query", "header", "path"] as const;
export type RequestPart = (typeof requestParts)[number];

/** What can be wrong with a value, by the code that programs match on. */
export const faultCodes = {
  required: "It is missing",
  unknown_field: "Nothing of this name is taken here",
  read_only: "It differs from the record, and this endpoint does not change it",
  wrong_type: "It is of another type than `expected`",
  not_one_of: "It is none of the values in `expected`",
  wrong_format: "It is not written as `expected` says",
  blank: "It is text without a character that is not a space",
  unstorable: "It is text with a NUL character or half a surrogate pair",
  too_short: "It is text of fewer characters than `expected`",
  too_long: "It is text of more characters than `expected`",
  too_small: "It is a number below `expected`",
  too_large: "It is a number above `expected`, or comes to more than is allowed",
  out_of_range: "It is a number outside of the range that `message` tells",
  too_many_decimals: "It is a number with more decimals than are kept",
  too_few: "It is a list of fewer entries than `expected`",
  too_many: "It is a list of more entries than `expected`, or there would be more things than are allowed",
  too_deep: "It is nested deeper than is allowed",
  repeated: "It was given before in the same place",
  out_of_order: "It is on the wrong side of another value of the request",
  invalid_cursor: "It is not a cursor of this list",
  unknown_reference: "It names nothing that it could mean",
  self_reference: "It names the thing itself",
  cycle: "It leads back to the thing itself",
  still_referred_to: "Something that stays refers to what would be deleted; `at` says where",
  several_selected: "A single-choice node would have more than one selected option",
  common_password: "It is one of the passwords that are tried first",
  guessable_password: "It is the account's own address or name, or the service's",
  not_allowed: "It is well written, but nothing like it is allowed here",
  secret_in_address: "It is an API key, which addresses must not hold",
} as const;

export type FaultCode = keyof typeof faultCodes;

/** One fault of a request: a row of `errors`. */
export const faultColumns = {
  path: Type.String({ description: "JSON pointer into the part that `in` names; empty for the whole of it" }),
  in: OneOf(requestParts),
  code: OneOf(Object.keys(faultCodes) as FaultCode[], { description: "What to match on" }),
  message: Type.String({ description: "What to do about it, for people" }),
  expected: Type.Optional(
    Type.Unsafe<string | number | readonly (string | number)[]>({
      type: ["string", "number", "array"],
      items: { type: ["string", "number"] },
      description: "What would be right: a limit, a type, a form, or a list of values",
    }),
  ),
  suggestion: Type.Optional(Type.String({ description: "What was probably meant" })),
};

const FaultRow = Shape(faultColumns);
export type Fault = Static<typeof FaultRow>;
