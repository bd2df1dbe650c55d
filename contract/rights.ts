/** The levels of access to an estimation, highest first. Of several levels, the highest counts. */
export const accessLevels = ["owner", "editor", "viewer", "reviewer"] as const;
export type AccessLevel = (typeof accessLevels)[number];

/**
 * What a call does with an estimation, or with a record that belongs to it. An endpoint names the right that it needs;
 * `domain/access.ts` says which levels have it.
 */
export const rights = {
  read: "Read the estimation and what belongs to it",
  comment: "Write about it: messages in threads, and comments on reviews, whose handlers restrict further who may",
  decide:
    "Decide or end a review: only the person who was asked for it, whatever their level; the owner may also end it",
  estimate:
    "Estimate in a round: only people who are asked. It waits for nobody, because nothing of the estimation changes",
  edit: "Change it and what belongs to it",
  own: "Decide about it as a whole: delete it, transfer it, share it",
  restore: "Restore it, the only one on an estimation that is deleted",
} as const;
export type Right = keyof typeof rights;

/** Rights whose calls leave the estimation unlocked: they change nothing of it. */
export const unlockedRights = ["read", "estimate"] as const satisfies Right[];
export type UnlockedRight = (typeof unlockedRights)[number];

/** Returns whether calls with a right have the estimation for themselves. */
export const locksEstimation = (right: Right): boolean => !unlockedRights.some((one) => one === right);

export const rightNames = Object.keys(rights) as Right[];
