import type { estimations } from "../../../contract/estimations.ts";
import type { Making, Samples } from "./noun.ts";

export interface EstimationRecords {
  readonly estimation: string;
}

export async function makeEstimation({ call }: Making): Promise<EstimationRecords> {
  const { estimation } = await call("POST", "/api/estimations", { title: "Sample", tags: ["web"] });
  return { estimation: String(estimation?.id) };
}

export const estimationSamples: Samples<typeof estimations> = {
  listEstimations: () => ({ query: { tag: ["web"] } }),
  createEstimation: () => ({ body: { title: "Shop" } }),
  getEstimation: ({ estimation }) => ({ params: { id: estimation } }),
  updateEstimation: ({ estimation }) => ({ params: { id: estimation }, body: { title: "Shop 2" } }),
  deleteEstimation: ({ estimation }) => ({ params: { id: estimation } }),
};
