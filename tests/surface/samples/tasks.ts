import type { accuracy } from "../../../contract/endpoints/accuracy.ts";
import type { tasks } from "../../../contract/endpoints/tasks.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface TaskRecords {
  readonly task: string;
}

/** Needs a tree with work in it. */
export async function makeTask({ call }: Making, { estimation }: EstimationRecords): Promise<TaskRecords> {
  const { tasks } = await call("POST", `/api/estimations/${estimation}/tasks/generate`);
  return { task: String(tasks?.[0]?.id) };
}

export const taskSamples: Samples<typeof tasks> = {
  listTasks: ({ estimation }) => ({ params: { id: estimation } }),
  previewTasks: ({ estimation }) => ({ params: { id: estimation } }),
  generateTasks: ({ estimation }) => ({ params: { id: estimation } }),
  updateTask: ({ estimation, task }) => ({ params: { id: estimation, taskId: task }, body: { actualHours: 7.5 } }),
  deleteTask: ({ estimation, task }) => ({ params: { id: estimation, taskId: task } }),
};

export const accuracySamples: Samples<typeof accuracy> = {
  getTaskAccuracy: () => ({}),
};
