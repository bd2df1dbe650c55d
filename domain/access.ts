import { type AccessLevel, accessLevels, type Right } from "../contract/rights.ts";

/** The levels that have each right. */
const LEVELS: Readonly<Record<Right, readonly AccessLevel[]>> = {
  read: accessLevels,
  // Reviews decide further (`domain/reviews.ts`): a user with a higher level may be a reviewer too.
  comment: accessLevels,
  decide: accessLevels,
  // Rounds decide further: only their participants.
  estimate: accessLevels,
  edit: ["owner", "editor"],
  own: ["owner"],
  restore: ["owner"],
};

/** `unseen` gets the response of a record that does not exist (404), `forbidden` gets 403. */
export type Verdict = "allowed" | "forbidden" | "unseen";

/** The only rule for who may do what with an estimation. `level` is null for a user without access. */
export function may(level: AccessLevel | null, right: Right): Verdict {
  if (level === null) return "unseen";
  return LEVELS[right].includes(level) ? "allowed" : "forbidden";
}

/** Returns whether a reader may resolve or reopen a message of a thread: their own, or any of who may edit the estimation. */
export const mayResolveMessage = (level: AccessLevel, isAuthor: boolean): boolean =>
  isAuthor || may(level, "edit") === "allowed";

/** Returns the levels that have a right, highest first. */
export const levelsWith = (right: Right): readonly AccessLevel[] => LEVELS[right];
