import { Ajv, type Options } from "ajv";
import { components } from "../../contract/shapes.ts";
import { parseTimestamp } from "../platform/timestamp.ts";

/** Compiles schemas of the contract into checks that know its formats and components, and count decimals exactly. */
export function createAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, ...options });
  ajv.addFormat("date-time", (text: string) => parseTimestamp(text) !== null);
  ajv.addFormat("uri", (text: string) => URL.canParse(text));
  // Dividing, as JSON Schema validators do, gives wrong results both ways for large numbers with decimals.
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({ keyword: "multipleOf", type: "number", schemaType: "number", validate: isMultiple, errors: false });
  // Annotations for people, which check nothing.
  ajv.addKeyword("x-form");
  ajv.addKeyword("x-must-match");
  for (const schema of components) ajv.addSchema(schema);
  return ajv;
}

/** Returns whether `value` is a multiple of a power of ten such as 0.01, judged by its decimal digits. */
function isMultiple(step: number, value: number): boolean {
  const decimals = Math.max(0, Math.round(-Math.log10(step)));
  return Number(value.toFixed(decimals)) === value;
}
