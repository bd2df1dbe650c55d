/** How one task waits for another: from which end of the first to which end of the second. */
export const dependencyTypes = ["finish_to_start", "start_to_start", "finish_to_finish"] as const;
export type DependencyType = (typeof dependencyTypes)[number];
