import type { Options, ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import { Type } from "typebox";
import type { Fault, RequestPart } from "../../../contract/values/faults.ts";
import { Failure } from "../failure.ts";
import { createAjv } from "./schema-checks.ts";
import { schemaFaults } from "./schema-faults.ts";

/** Returns the parameters of an endpoint's query whose values are numbers. */
export function numberParametersOf(query: TSchema): string[] {
  const properties = Type.IsObject(query) ? Object.entries(query.properties) : [];
  return properties.filter(([, schema]) => Type.IsInteger(schema) || Type.IsNumber(schema)).map(([name]) => name);
}

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/**
 * Replaces the texts of number parameters by their numbers. What is not written in plain digits becomes NaN, which no schema
 * allows. Ajv would convert whatever JavaScript reads as a number: `1e999` would become Infinity, past every bound.
 */
function convertNumbers(query: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const text = query[name];
    if (typeof text === "string") query[name] = PLAIN.test(text) ? Number(text) : Number.NaN;
  }
}

/** Refuses (400) a value that does not match the schema; sets defaults and, in a query, converts values in place. */
export type Check = (value: unknown) => void;

/** Bodies with fewer values than this get a row per fault; in larger ones collecting all faults would cost too much. */
const FULL_REPORT_VALUES = 5_000;

const compilers = (options: Options) => ({
  first: createAjv({ ...options, verbose: true }),
  all: createAjv({ ...options, verbose: true, allErrors: true }),
});
const body = compilers({ useDefaults: true });
const query = compilers({ useDefaults: true, coerceTypes: true });

/** Returns checks of bodies (values are not converted) and of queries (text becomes numbers), compiled at their first use. */
export const validation = {
  body: (schema: TSchema): Check => checkBy(schema, "body", body),
  query: (schema: TSchema): Check => {
    const check = checkBy(schema, "query", query);
    const names = numberParametersOf(schema);
    return (value) => {
      convertNumbers(value as Record<string, unknown>, names);
      check(value);
    };
  },
};

export type Validation = typeof validation;

function checkBy(schema: TSchema, part: RequestPart, { first, all }: typeof body): Check {
  return (value) => {
    const check = first.compile(schema);
    if (check(value)) return;
    const { errors } = isSmall(value) ? run(all.compile(schema), value) : check;
    const faults = schemaFaults(errors ?? [], part);
    const hint = hintForWrapped(value, faults);
    throw new Failure("validation_failed", { faults, ...(hint ? { hint } : {}) });
  };
}

/** Many APIs take the fields of a record in a field with its name. */
function hintForWrapped(value: unknown, faults: readonly Fault[]): string | undefined {
  const [[name, inner] = [], ...others] = Object.entries(value ?? {});
  const isWrapped = name !== undefined && others.length === 0 && typeof inner === "object" && inner !== null;
  if (!isWrapped || Array.isArray(inner) || !/^\w{1,40}$/.test(name)) return undefined;
  const isUnknown = faults.some(({ path, code }) => code === "unknown_field" && path === `/${name}`);
  return isUnknown ? `Send the fields themselves, without \`${name}\` around them.` : undefined;
}

function run(check: ValidateFunction, value: unknown): ValidateFunction {
  check(value);
  return check;
}

/** Returns whether `value` contains few values, counted without recursion. */
function isSmall(root: unknown): boolean {
  const open: unknown[] = [root];
  for (let seen = 0; open.length > 0; seen += 1) {
    const value = open.pop();
    if (seen + open.length > FULL_REPORT_VALUES) return false;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return true;
}
