/** The states of an estimation, in the order in which it goes through them. */
export const estimationStatuses = ["draft", "submitted", "tasks_generated", "exported"] as const;
export type EstimationStatus = (typeof estimationStatuses)[number];

/** The moves between states, named as in their paths. `domain/states.ts` says where each may begin and where it leads. */
export const moves = ["submit", "mark-tasks-generated", "mark-exported", "reopen"] as const;
export type Move = (typeof moves)[number];
