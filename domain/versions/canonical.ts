import type { Snapshot } from "./shape.ts";

/**
 * Increased when the shape of a snapshot changes: the same content under another schema has another hash. Schema 1 had no
 * assumptions.
 */
export const SNAPSHOT_SCHEMA = 2;

/**
 * Returns a JSON value as canonical text (RFC 8785): members sorted by the UTF-16 units of their names, no white space,
 * numbers as ECMAScript writes them (−0 as 0). Omits members that are undefined. Throws RangeError for what JSON cannot
 * represent: a number that is not finite, and text with half a surrogate pair.
 */
export function canonicalJson(value: unknown): string {
  const order = { isKept: true };
  const sorted = inOrder(value, order);
  return order.isKept ? JSON.stringify(sorted) : textOf(value);
}

/**
 * Returns a copy whose members are in order, which takes half as long to write as member by member. Objects do not keep the
 * order of members whose names are numbers, nor a member named `__proto__`: `order` says whether there was none.
 */
function inOrder(value: unknown, order: { isKept: boolean }): unknown {
  if (typeof value !== "object" || value === null) return checked(value);
  if (Array.isArray(value)) return value.map((inner) => inOrder(inner, order));
  const copy: Record<string, unknown> = {};
  // By default texts are sorted by their UTF-16 units.
  for (const name of Object.keys(value).sort()) {
    if (UNORDERED.test(checked(name) as string)) order.isKept = false;
    copy[name] = inOrder((value as Readonly<Record<string, unknown>>)[name], order);
  }
  return copy;
}

const UNORDERED = /^(\d|__proto__$)/;

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => ({ name, member: (value as Readonly<Record<string, unknown>>)[name] }))
    .filter(({ member }) => member !== undefined)
    .map(({ name, member }) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.join(",")}}`;
}

function checked(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(`${value} is no JSON number`);
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new RangeError("text with half a surrogate pair is no JSON");
  }
  return value;
}

/**
 * Returns the text whose SHA-256 is the content hash of a version: equal exactly for snapshots with equal content. The
 * caller computes the hash, because browsers have no synchronous one.
 */
export function hashedText(snapshot: Snapshot): string {
  return canonicalJson({ schema: SNAPSHOT_SCHEMA, snapshot });
}

/** The same under schema 1; null for a content that it could not hold. */
export function formerHashedText({ assumptions, ...snapshot }: Snapshot): string | null {
  return assumptions === "" ? canonicalJson({ schema: 1, snapshot }) : null;
}

/** Reads a stored snapshot of any schema. */
export const readSnapshot = (text: string): Snapshot => ({ assumptions: "", ...JSON.parse(text) });
