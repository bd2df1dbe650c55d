import { fail, failWith } from "./failure.ts";

/** The revisions that an `If-Match` header accepts. */
export type Revisions = "any" | ReadonlySet<number>;

/** Returns the `ETag` of a revision. */
export const etagOf = (revision: number): string => `"${revision}"`;

/** An entity tag: weak or strong, anything in quotes. */
const TAG = /^\s*(?:W\/)?"([^"]*)"\s*$/;

/** A revision in quotes; proxies that compress an answer append how. */
const REVISION = /^(\d{1,15})(?:[-;]{1,2}(?:gzip|br|zstd|deflate))?$/;

/**
 * Reads `If-Match` or `If-None-Match` (RFC 9110, 13.1): `*` or a list of entity tags. Tags that a proxy made weak, or
 * marked as compressed, count as the revision that they name: the record is the same. What is no tag of ours matches
 * nothing. Refuses (400) what is not in quotes.
 */
export function parseTags(header: string | undefined, name: "if-match" | "if-none-match"): Revisions | null {
  if (header === undefined) return null;
  if (header.trim() === "*") return "any";
  const tags = header.split(",").map((tag) => TAG.exec(tag)?.[1] ?? refuseTag(tag.trim(), name));
  return new Set(
    tags
      .map((tag) => REVISION.exec(tag)?.[1])
      .filter((tag) => tag !== undefined)
      .map(Number),
  );
}

function refuseTag(tag: string, name: string): never {
  const revision = /^(?:W\/)?(\d{1,15})$/.exec(tag)?.[1];
  const form = 'entity tags in double quotes, such as "6", or *';
  return failWith([
    {
      path: `/${name}`,
      in: "header",
      code: "wrong_format",
      message: `must be ${form}`,
      expected: form,
      ...(revision === undefined ? {} : { suggestion: etagOf(Number(revision)) }),
    },
  ]);
}

/** Whether `If-None-Match` says that the client has this revision already. */
export function hasAlready(header: string | undefined, revision: number): boolean {
  const revisions = parseTags(header, "if-none-match");
  return revisions !== null && (revisions === "any" || revisions.has(revision));
}

/** Refuses a write (412) whose `If-Match` does not contain the record's current revision. */
export function checkRevision(ifMatch: Revisions | null, revision: number): void {
  if (ifMatch === null || ifMatch === "any" || ifMatch.has(revision)) return;
  fail("revision_mismatch", { details: { revision } });
}
