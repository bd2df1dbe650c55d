/** Columns of the list of estimations in the web application that a user can hide. */
export const listColumns = ["status", "review", "hours", "owner", "updated"] as const;
export type ListColumn = (typeof listColumns)[number];
