/** A round is `open` until its estimates are shown (`revealed`), and ends as `closed`. Plain data. */
export const roundStatuses = ["open", "revealed", "closed"] as const;
export type RoundStatus = (typeof roundStatuses)[number];

/** Estimates that an option needs to show them: with fewer it would be plain whose they are. */
export const estimatesNeeded = { named: 2, anonymous: 3 } as const;

/** Below this agreement an option is to be talked about, and estimated again. */
export const DISAGREES_BELOW = 0.5;
