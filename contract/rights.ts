/** The levels of access to an estimation, highest first. A person with several has the highest. */
export const accessLevels = ["owner", "editor", "viewer", "reviewer"] as const;
export type AccessLevel = (typeof accessLevels)[number];

/**
 * What a call does with an estimation, or with a record that belongs to it. A row names the right that it needs;
 * `domain/access.ts` says which levels have it.
 */
export const rights = {
  read: "Read the estimation and what belongs to it",
  comment: "Write about it: messages of threads, and comments on reviews, which decide further who may",
  decide: "Decide or end a review: only the person who was asked for it, whatever the level; its end also by the owner",
  edit: "Change it and what belongs to it",
  own: "Decide about it as a whole: delete it, hand it over, say who may see it",
} as const;
export type Right = keyof typeof rights;

export const rightNames = Object.keys(rights) as Right[];
