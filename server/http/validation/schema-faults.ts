import type { ErrorObject } from "ajv";
import { limits } from "../../../contract/limits.ts";
import type { Fault, FaultCode, RequestPart } from "../../../contract/values/faults.ts";
import { pointer } from "./pointer.ts";
import { suggest } from "./suggest.ts";

type Row = Omit<Fault, "in">;

/**
 * Returns the rows of `errors` for the faults of a part of the request: one per place, up to the limit of reported
 * faults.
 */
export function schemaFaults(errors: readonly ErrorObject[], part: RequestPart): Fault[] {
  const rows = new Map<string, Fault>();
  for (const error of errors) {
    if (rows.size === limits.reportedFaults) break;
    const { path, ...fault } = rowOf(error, part);
    // A value with two faults gets one row: fixing the first shows the second.
    if (!rows.has(path)) rows.set(path, { path, in: part, ...fault });
  }
  return [...rows.values()];
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

const FORM_WORDS: Readonly<Record<string, string>> = {
  "date-time": "an RFC 3339 time with its offset, such as 2026-01-31T09:30:00Z",
  uri: "a URL such as https://example.com/hook",
};

/** Keywords of the contract's schemas beside JSON Schema's own. */
interface Words {
  readonly properties?: Readonly<Record<string, unknown>>;
  /** The required form of a text in words, for people. */
  readonly "x-form"?: string;
  readonly format?: string;
  readonly items?: { readonly type?: unknown };
}

const PLURALS: Readonly<Record<string, string>> = { string: "texts", number: "numbers", object: "objects" };
/** A number as it is written in many languages. */
const DECIMAL_COMMA = /^-?\d+,\d+$/;

/** `params` of an error; they differ per keyword. */
interface Params {
  readonly missingProperty: string;
  readonly additionalProperty: string;
  readonly type: string | string[];
  readonly allowedValues?: readonly unknown[];
  readonly format: string;
  readonly limit: number;
  readonly i: number;
  readonly j: number;
}

function rowOf({ keyword, instancePath: path, params, parentSchema, data }: ErrorObject, part: RequestPart): Row {
  const schema = (parentSchema ?? {}) as Words;
  const { properties = {}, "x-form": form } = schema;
  const row = ROWS[keyword];
  const known = Object.entries(properties);
  if (form !== undefined && (keyword === "pattern" || keyword === "enum"))
    return inForm(path, form, params as Params, data);
  return row
    ? row(path, params as Params, {
        data,
        part,
        form,
        schema,
        names: known.map(([name]) => name),
        settable: known.filter(([, field]) => !(field as { readOnly?: true }).readOnly).map(([name]) => name),
      })
    : { path, code: "not_allowed", message: "is not allowed" };
}

interface Around {
  readonly data: unknown;
  readonly part: RequestPart;
  /** Names of the known fields, if an unknown one was sent. */
  readonly names: readonly string[];
  /** Those of them that are not read-only. */
  readonly settable: readonly string[];
  /** The required form in words, where the schema has it. */
  readonly form: string | undefined;
  readonly schema: Words;
}

/** Returns a row about a limit of `limit`. */
const bound =
  (code: FaultCode, message: (limit: number) => string) =>
  (path: string, { limit }: Params): Row => ({ path, code, message: message(limit), expected: limit });

const characters = (count: number) => (count === 1 ? "1 character" : `${count} characters`);
const entries = (count: number) => (count === 1 ? "1 entry" : `${count} entries`);

/** Where people get the value of a field that names something of their own. */
const SOURCES: Readonly<Record<string, string>> = {
  connectionId: "GET /api/connections lists yours, POST makes one",
};

const ROWS: Readonly<Record<string, (path: string, params: Params, around: Around) => Row>> = {
  required: (path, { missingProperty: name }) => ({
    path: path + pointer([name]),
    code: "required",
    message: name in SOURCES ? `is required: ${SOURCES[name]}` : "is required",
  }),
  additionalProperties: (path, { additionalProperty: name }, { part, names, settable }) => ({
    path: path + pointer([name]),
    code: "unknown_field",
    message: part === "query" ? "is not a known parameter" : "is not a known field",
    ...(settable.length > 0 ? { expected: settable } : {}),
    ...suggestion(name, names),
  }),
  type: (path, { type }, { form, data, schema: { format = "", items } }) => {
    const types = [type].flat();
    const itemType = String(items?.type ?? "");
    const words = types
      .map((name) => {
        if (name === "array" && itemType in PLURALS) return `a list of ${PLURALS[itemType]}`;
        return name === "string" && format in FORM_WORDS ? `text: ${FORM_WORDS[format]}` : (TYPE_WORDS[name] ?? name);
      })
      .join(" or ");
    const inWords = form && types.includes("null") ? `${form}, or null` : form;
    const isComma = types.some((name) => name === "number" || name === "integer") && DECIMAL_COMMA.test(String(data));
    return {
      path,
      code: "wrong_type",
      message: `must be ${inWords ?? words}${isComma ? ', with a point: 1.5, not "1,5"' : ""}`,
      expected: types.length === 1 ? (types[0] as string) : types,
    };
  },
  enum: (path, { allowedValues }, { data }) => {
    const values = (allowedValues as readonly (string | number | null)[]).filter((value) => value !== null);
    return {
      path,
      code: "not_one_of",
      message: values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(", ")}`,
      expected: values,
      ...suggestion(data, values),
    };
  },
  pattern: (path) => ({ path, code: "blank", message: "must have a visible character" }),
  format: (path, { format }) => {
    const form = FORM_WORDS[format] ?? format;
    return { path, code: "wrong_format", message: `must be ${form}`, expected: form };
  },
  "x-decimals": (path) => ({ path, code: "too_many_decimals", message: "must have at most two decimals", expected: 2 }),
  minimum: bound("too_small", (limit) => `must be at least ${limit}`),
  maximum: bound("too_large", (limit) => `must be at most ${limit}`),
  minLength: bound("too_short", (limit) =>
    limit === 1 ? "must not be empty" : `must have at least ${characters(limit)}`,
  ),
  maxLength: bound("too_long", (limit) => `must have at most ${characters(limit)}`),
  minItems: bound("too_few", (limit) => `must have at least ${entries(limit)}`),
  maxItems: bound("too_many", (limit) => `must have at most ${entries(limit)}`),
  uniqueItems: (path, { i, j }) => ({
    path: path + pointer([Math.max(i, j)]),
    code: "repeated",
    message: "must not be given twice",
  }),
};

/** Returns a row about text that does not have the form `form`. */
function inForm(path: string, form: string, { allowedValues }: Params, data: unknown): Row {
  const code = allowedValues === undefined ? "wrong_format" : "not_one_of";
  return { path, code, message: `must be ${form}`, expected: form, ...suggestion(data, allowedValues ?? []) };
}

function suggestion(given: unknown, known: readonly unknown[]): { suggestion?: string } {
  const texts = known.filter((value) => typeof value === "string");
  const near = typeof given === "string" ? suggest(given, texts) : undefined;
  return near === undefined ? {} : { suggestion: near };
}
