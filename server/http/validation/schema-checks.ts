import { Ajv, type Options } from "ajv";
import { components } from "../../../contract/index.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";

/** Compiles schemas of the contract into checks that know its formats and components, and count decimals exactly. */
export function createAjv(options: Options = {}): Ajv {
  // Tests check the schemas: checking them again would take a third of every start. Optimizing the code of checks takes
  // half of compiling them or more, and they run no faster.
  const code = { optimize: false };
  // A component is compiled once, not again wherever it is used: that takes a third less.
  const inlineRefs = false;
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateSchema: false, code, inlineRefs, ...options });
  ajv.addFormat("date-time", (text: string) => parseTimestamp(text) !== null);
  ajv.addFormat("uri", (text: string) => URL.canParse(text));
  ajv.addKeyword({ keyword: "x-decimals", type: "number", schemaType: "number", validate: hasDecimals, errors: false });
  // Annotations for people, which check nothing.
  ajv.addKeyword("x-form");
  ajv.addKeyword("x-must-match");
  ajv.addKeyword("x-published");
  for (const schema of components) ajv.addSchema(schema);
  return ajv;
}

/**
 * Returns whether `value` has at most `decimals` decimals, judged by its digits: dividing gives wrong results both ways
 * for large numbers with decimals.
 */
const hasDecimals = (decimals: number, value: number): boolean => Number(value.toFixed(decimals)) === value;
