import { limits } from "../../contract/limits.ts";

/** A part of a long text, and the cursor of the next one; null: it is the last. */
export interface Part {
  readonly text: string;
  readonly next: string | null;
}

/**
 * Returns the part of a result that begins at `cursor`, at most `limits.toolResultCharacters` long; null if the cursor is none of this text:
 * the result has changed since the part before. `digest` identifies the text.
 */
export function partOfResult(text: string, digest: string, cursor: string | undefined): Part | null {
  const [, of = digest, at = "0"] = cursor === undefined ? [] : (/^(\w+)\.(\d{1,9})$/.exec(cursor) ?? ["", "", ""]);
  const from = Number(at);
  if (of !== digest || (from > 0 && from >= text.length)) return null;
  const wanted = from + limits.toolResultCharacters;
  // Not between the halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(wanted - 1)) ? wanted - 1 : wanted;
  return { text: text.slice(from, end), next: end < text.length ? `${digest}.${end}` : null };
}
