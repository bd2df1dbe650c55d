import type { ErrorObject, Options, ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import { limits } from "../../contract/limits.ts";
import { type Fault, failWith } from "./failure.ts";
import { pointer } from "./pointer.ts";
import { createAjv } from "./schema-checks.ts";

/** Refuses (400) a value that breaks the schema; defaults and, in a query, conversions are applied to it in place. */
export type Check = (value: unknown) => void;

/** Bodies with fewer values than this get a row per fault; in larger ones collecting every fault would cost too much. */
const FULL_REPORT_VALUES = 5_000;

/** Compiles checks of bodies (nothing is converted) and of queries (text becomes numbers). */
export function createValidation() {
  const compilers = (options: Options) => ({
    first: createAjv(options),
    all: createAjv({ ...options, allErrors: true }),
  });
  const body = compilers({ useDefaults: true });
  const query = compilers({ useDefaults: true, coerceTypes: true });
  const compile =
    ({ first, all }: typeof body, schema: TSchema): Check =>
    (value) => {
      const check = first.compile(schema);
      if (check(value)) return;
      failWith(faultsOf(isSmall(value) ? run(all.compile(schema), value) : check));
    };
  return {
    body: (schema: TSchema): Check => compile(body, schema),
    query: (schema: TSchema): Check => compile(query, schema),
  };
}

export type Validation = ReturnType<typeof createValidation>;

function run(check: ValidateFunction, value: unknown): ValidateFunction {
  check(value);
  return check;
}

function faultsOf(check: ValidateFunction): Fault[] {
  return (check.errors ?? []).slice(0, limits.reportedFaults).map(faultOf);
}

function faultOf({ keyword, instancePath, params, message }: ErrorObject): Fault {
  const below = (name: string) => instancePath + pointer([name]);
  if (keyword === "additionalProperties")
    return { path: below(params.additionalProperty), message: "is not a known field" };
  if (keyword === "required") return { path: below(params.missingProperty), message: "is required" };
  if (keyword === "enum") return { path: instancePath, message: `must be one of ${params.allowedValues.join(", ")}` };
  if (keyword === "multipleOf") return { path: instancePath, message: "must have at most two decimals" };
  return { path: instancePath, message: message ?? "is not valid" };
}

/** Whether `value` holds few values, counted without recursion. */
function isSmall(root: unknown): boolean {
  const open: unknown[] = [root];
  for (let seen = 0; open.length > 0; seen += 1) {
    const value = open.pop();
    if (seen + open.length > FULL_REPORT_VALUES) return false;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return true;
}
