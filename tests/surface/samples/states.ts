import type { states } from "../../../contract/endpoints/states.ts";
import type { Making, Samples } from "./noun.ts";

export interface StateRecords {
  /** An estimation in the state `submitted`. */
  readonly submitted: string;
  /** One in the state `tasks_generated`. */
  readonly withTasksGenerated: string;
}

const nodes = [{ title: "Set-up", kind: "group", options: [{ title: "Build server", hours: 8 }] }];

export async function makeStates({ call }: Making): Promise<StateRecords> {
  const submit = async () => {
    const { estimation } = await call("POST", "/api/estimations", { title: "Warehouse app" });
    const path = `/api/estimations/${estimation?.id}`;
    await call("PUT", `${path}/tree`, { nodes });
    await call("POST", `${path}/submit`);
    return path;
  };
  const idIn = (path: string) => path.split("/").at(-1) ?? "";
  const [submitted, withTasksGenerated] = [await submit(), await submit()];
  await call("POST", `${withTasksGenerated}/mark-tasks-generated`);
  return { submitted: idIn(submitted), withTasksGenerated: idIn(withTasksGenerated) };
}

export const stateSamples: Samples<typeof states> = {
  submitEstimation: ({ estimation }) => ({ params: { id: estimation } }),
  markTasksGenerated: ({ submitted }) => ({ params: { id: submitted } }),
  markExported: ({ withTasksGenerated }) => ({ params: { id: withTasksGenerated } }),
  reopenEstimation: ({ submitted }) => ({ params: { id: submitted } }),
};
