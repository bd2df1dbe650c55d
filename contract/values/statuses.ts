/** The states of an estimation, in their usual order. */
export const estimationStatuses = ["draft", "submitted", "tasks_generated", "exported"] as const;
export type EstimationStatus = (typeof estimationStatuses)[number];

/** The transitions between states, named as in their paths. `domain/states.ts` says from where to where each leads. */
export const moves = ["submit", "mark-tasks-generated", "mark-exported", "reopen"] as const;
export type Move = (typeof moves)[number];
