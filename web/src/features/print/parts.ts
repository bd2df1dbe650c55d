import { printTexts } from "./texts.ts";

/** What of an estimation is printed: parts of their own, and what the tree shows beside what counts. */
export type Part = keyof typeof printTexts.parts;

/** All parts, in the order in which they stand on paper. */
export const PARTS = Object.keys(printTexts.parts) as readonly Part[];

const SEPARATOR = ".";

/** Reads the parts that an address leaves out; what it does not know is ignored. */
export function readWithout(text: string | undefined): ReadonlySet<Part> {
  const names = text?.split(SEPARATOR) ?? [];
  return new Set(PARTS.filter((part) => names.includes(part)));
}

/** Writes what `readWithout` reads: undefined where everything is printed. */
export const writeWithout = (without: ReadonlySet<Part>): string | undefined =>
  PARTS.filter((part) => without.has(part)).join(SEPARATOR) || undefined;
