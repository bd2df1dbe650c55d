import type { Snapshot } from "./shape.ts";

/** Increased when the shape of a snapshot changes: the same content under another schema has another hash. */
export const SNAPSHOT_SCHEMA = 1;

/**
 * Returns a JSON value as canonical text (RFC 8785): members sorted by the UTF-16 units of their names, no white space,
 * numbers as ECMAScript writes them (−0 as 0). Omits members that are undefined. Throws RangeError for what JSON cannot
 * represent: a number that is not finite, and text with half a surrogate pair.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return textOf(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(`${value} is no JSON number`);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value).sort(byName)) {
    if (member !== undefined) members.push(`${textOf(name)}:${canonicalJson(member)}`);
  }
  return `{${members.join(",")}}`;
}

/**
 * Returns the text whose SHA-256 is the content hash of a version: equal exactly for snapshots with equal content. The
 * caller computes the hash, because browsers have no synchronous one.
 */
export function hashedText(snapshot: Snapshot): string {
  return canonicalJson({ schema: SNAPSHOT_SCHEMA, snapshot });
}

function textOf(text: string): string {
  if (!text.isWellFormed()) throw new RangeError("text with half a surrogate pair is no JSON");
  return JSON.stringify(text);
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
