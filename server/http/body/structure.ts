import { limits } from "../../../contract/limits.ts";
import type { Fault, FaultCode } from "../../../contract/values/faults.ts";

/** What the bytes of JSON show before they are parsed. */
interface Structure {
  /** What is wrong, if a limit is exceeded; what follows was not read then. */
  readonly fault: Fault | null;
  /** Whether a text contains `\u`: only then can JSON contain text that cannot be stored. */
  readonly hasEscapes: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Limits the number of values in JSON, by its commas and opening brackets, and their nesting. The time and memory of
 * parsing depend on the number of values, not bytes: 16 MiB of `{},` are five million objects, which take a hundred
 * times their bytes. The parser checks whether the bytes are JSON at all.
 */
export function readStructure(bytes: Uint8Array, valuesMax: number): Structure {
  let values = 0;
  let depth = 0;
  let inText = false;
  let escaped = false;
  let hasEscapes = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inText) {
      if (escaped) {
        if (byte === LOWER_U) hasEscapes = true;
        escaped = false;
      } else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values += 1;
      depth += 1;
      if (depth > limits.bodyDepth) {
        const message = `must not nest deeper than ${limits.bodyDepth} levels`;
        return { fault: faultOf("too_deep", message, limits.bodyDepth), hasEscapes };
      }
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (values > valuesMax) {
      const fault = faultOf("too_many", `must not hold more than ${valuesMax} values`, valuesMax);
      return { fault, hasEscapes };
    }
  }
  return { fault: null, hasEscapes };
}

const faultOf = (code: FaultCode, message: string, expected: number): Fault => ({
  path: "",
  in: "body",
  code,
  message,
  expected,
});
