import { fail } from "./failure.ts";

/** The revisions that an `If-Match` header accepts. */
export type Revisions = "any" | ReadonlySet<number>;

/** The `ETag` of a revision. */
export const etagOf = (revision: number): string => `"${revision}"`;

/**
 * Reads `If-Match` (RFC 9110, 13.1.1): `*` or a list of entity tags compared strongly. What is no tag of ours, a weak
 * one included, matches nothing.
 */
export function parseIfMatch(header: string | undefined): Revisions | null {
  if (header === undefined) return null;
  if (header.trim() === "*") return "any";
  const tags = header.split(",").map((tag) => /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1]);
  return new Set(tags.filter((tag) => tag !== undefined).map(Number));
}

/** Refuses a write (412) whose `If-Match` does not name the record's current revision. */
export function checkRevision(ifMatch: Revisions | null, revision: number): void {
  if (ifMatch === null || ifMatch === "any" || ifMatch.has(revision)) return;
  fail("revision_mismatch", { details: { revision } });
}
