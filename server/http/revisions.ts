import { type ReviewState, reviewStates } from "../../contract/endpoints/estimations.ts";
import { type AccessLevel, accessLevels } from "../../contract/rights.ts";
import { fail } from "./failure.ts";

/** The revisions that an `If-Match` header accepts. */
export type Revisions = "any" | ReadonlySet<number>;

/** The parts of a response about an estimation that change without a new revision. */
export interface ReaderView {
  readonly access: AccessLevel;
  readonly reviewState: ReviewState;
  readonly reviewStale: boolean;
}

/**
 * Returns what the `ETag` of a revision has in its quotes. A response to a reader names the level too, unless it is the
 * owner's, and the state of the reviews, unless there are none.
 */
export function tagOf(revision: number, view?: ReaderView): string {
  if (!view) return `${revision}`;
  const { access, reviewState, reviewStale } = view;
  const marks = [
    ...(access === "owner" ? [] : [access]),
    ...(reviewState === "none" ? [] : [reviewStale ? `${reviewState}-stale` : reviewState]),
  ];
  return [revision, ...marks].join("-");
}

/** An entity tag: weak or strong, anything in quotes. */
const TAG = /^\s*(?:W\/)?"([^"]*)"\s*$/;

/** A revision, with its marks where it has some; proxies that compress a response append how. */
const MARKS = `(?:-(?:${accessLevels.join("|")}))?(?:-(?:${reviewStates.join("|")})(?:-stale)?)?`;
const OURS = new RegExp(`^((\\d{1,15})${MARKS})(?:[-;]{1,2}(?:gzip|br|zstd|deflate))?$`);

/**
 * Reads `If-Match` (RFC 9110, 13.1): `*` or a list of entity tags. Tags that a proxy made weak, or marked as
 * compressed, count as the revision that they name: the record is the same, whatever the level of its reader. Foreign
 * tags match nothing. Refuses (400) a tag without quotes.
 */
export function parseTags(header: string | undefined): Revisions | null {
  const tags = tagsIn(header, "if-match");
  return tags === null || tags === "any" ? tags : new Set(tags.map(([, , revision]) => Number(revision)));
}

function tagsIn(header: string | undefined, name: "if-match" | "if-none-match"): "any" | RegExpExecArray[] | null {
  if (header === undefined) return null;
  if (header.trim() === "*") return "any";
  const tags = header.split(",").map((tag) => TAG.exec(tag)?.[1] ?? refuseTag(tag.trim(), name));
  return tags.map((tag) => OURS.exec(tag)).filter((tag) => tag !== null);
}

function refuseTag(tag: string, name: string): never {
  const value = OURS.exec(tag.replace(/^W\//, ""))?.[1];
  const form = 'entity tags in double quotes, such as "6", or *';
  return fail("validation_failed", {
    faults: [
      {
        path: `/${name}`,
        in: "header",
        code: "wrong_format",
        message: `must be ${form}`,
        expected: form,
        ...(value === undefined ? {} : { suggestion: `"${value}"` }),
      },
    ],
    hint: "Send the `ETag` as you received it, with its double quotes; a shell removes them unless the header is in single quotes.",
  });
}

/** Whether `If-None-Match` says that the client already has the state of `tag`. */
export function hasAlready(header: string | undefined, tag: string): boolean {
  const tags = tagsIn(header, "if-none-match");
  return tags !== null && (tags === "any" || tags.some(([, ours]) => ours === tag));
}

/** Refuses a write (412) whose `If-Match` does not contain the record's current revision. */
export function checkRevision(ifMatch: Revisions | null, revision: number): void {
  if (ifMatch === null || ifMatch === "any" || ifMatch.has(revision)) return;
  fail("revision_mismatch", { details: { revision } });
}
