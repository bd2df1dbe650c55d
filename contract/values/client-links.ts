/** What a page for a client shows of the estimate. Apart from the schemas, so that a browser can load it alone. */
export const shownFigures = ["price", "priceRange", "hours", "hoursRange"] as const;
export type ShownFigures = (typeof shownFigures)[number];

/** The figure of which the others are made: what is expected, or what is enough in 80 of 100 cases. */
export const shownPercentiles = ["expected", "p80"] as const;
export type ShownPercentile = (typeof shownPercentiles)[number];

/** Whether figures are money; otherwise they are hours. */
export const showsPrice = (shows: ShownFigures): boolean => shows === "price" || shows === "priceRange";

/** Whether figures have a lower and an upper end. */
export const showsRange = (shows: ShownFigures): boolean => shows === "priceRange" || shows === "hoursRange";

export const clientLinkStates = ["active", "expired", "revoked"] as const;
export type ClientLinkState = (typeof clientLinkStates)[number];
