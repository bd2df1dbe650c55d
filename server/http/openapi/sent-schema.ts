import { type Json, portable } from "../../../contract/portable.ts";
import { VISIBLE } from "../../../contract/shapes.ts";

/** Text without NUL, which cannot be stored: in other words, what `isStorable` demands as far as a schema can say it. */
const NO_NUL = "^[^\\u0000]*$";
/** The same with a character of a kind, for text that the contract demands that of. */
const WITH_ONE: Readonly<Record<string, string>> = {
  "\\S": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
  [VISIBLE]: `^[^\\u0000]*${VISIBLE}[^\\u0000]*$`,
};

/** Returns the published schema of what clients send: as in the contract, and refusing what is refused in any text. */
export const sentSchema = (schema: unknown): unknown => withoutNul(portable(schema));

function withoutNul(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNul);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Json = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutNul(value)]));
  const isText = [copy.type].flat().includes("string") && !("enum" in copy || "const" in copy || "format" in copy);
  if (isText && copy.pattern === undefined) copy.pattern = NO_NUL;
  else if (isText) copy.pattern = WITH_ONE[String(copy.pattern)] ?? copy.pattern;
  return copy;
}
