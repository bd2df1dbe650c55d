import fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Characters of Unicode, each as often as the others: those of `unit: "binary"`, for which fast-check would make a list of
 * all million, and keep it as long as the process runs.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES)
  .map((n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES), numberOf);

/** Returns the number of a character. Throws for anything else: fast-check asks for the parts of texts that often make trouble. */
function numberOf(value: unknown): number {
  const code = typeof value === "string" ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value || !value.isWellFormed())
    throw new Error("no character");
  return code < FIRST_SURROGATE ? code : code - SURROGATES;
}
