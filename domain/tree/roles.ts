import { type Tree, walk } from "./shape.ts";

const NOTHING_TO_SEE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/** Characters that nobody sees, and that join nothing: soft hyphens, spaces without width, byte order marks. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

const blanksMadeEqual = (role: string): string => role.replace(UNSEEN, "").replace(/\s+/g, " ").trim();

/**
 * Returns a role as it is stored: with single spaces, and in the Unicode form NFC. A role without a character that can be seen
 * is none.
 */
export function writtenRole(role: string | null | undefined): string | null {
  if (role === null || role === undefined || NOTHING_TO_SEE.test(role)) return null;
  const written = blanksMadeEqual(role.normalize("NFC"));
  // A few letters of Hebrew and Indian scripts become longer, and a role has a longest length.
  return written.length > role.length ? blanksMadeEqual(role) : written;
}

/** Returns the role after a change to `given`; one that is the same but for its spelling stays as it was stored. */
export const changedRole = (before: string | null, given: string | null): string | null =>
  writtenRole(before) === writtenRole(given) ? before : writtenRole(given);

/**
 * Returns what is equal for roles that mean the same people: without regard to case, blanks and forms of characters. Empty: no
 * role.
 */
export const roleKey = (role: string | null): string =>
  // Upper case first: only so are `ß` and `ss`, and the two small sigmas, equal.
  writtenRole(role?.normalize("NFKC"))?.toUpperCase().toLowerCase() ?? "";

/** Returns a function that names each role of a tree as it is first written there; null: none. */
export function roleNames(tree: Tree): (role: string | null) => string | null {
  const names = new Map<string, string | null>([["", null]]);
  walk(tree.nodes, {
    option: ({ role }) => {
      const key = roleKey(role);
      if (!names.has(key)) names.set(key, writtenRole(role));
    },
  });
  return (role) => names.get(roleKey(role)) ?? null;
}
