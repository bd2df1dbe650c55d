import type { estimations } from "../../../contract/endpoints/estimations.ts";
import type { portfolio } from "../../../contract/endpoints/portfolio.ts";
import type { Making, Samples } from "./noun.ts";

export interface EstimationRecords {
  readonly estimation: string;
}

export async function makeEstimation({ call }: Making): Promise<EstimationRecords> {
  const { estimation } = await call("POST", "/api/estimations", {
    title: "Web shop",
    description: "A shop with sign-in, payment by card and a catalogue of 2,000 articles",
    assumptions: "Texts and translations come from you. Two rounds of feedback are included.",
    clientName: "Nordlicht Outdoor GmbH",
    tags: ["web"],
    hourlyRate: 112,
    currency: "EUR",
  });
  return { estimation: String(estimation?.id) };
}

export const estimationSamples: Samples<typeof estimations> = {
  listEstimations: () => ({ query: { tag: ["web"] } }),
  createEstimation: () => ({
    body: { title: "Mobile app", clientName: "Nordlicht Outdoor GmbH", hourlyRate: 112, currency: "EUR" },
  }),
  getEstimation: ({ estimation }) => ({ params: { id: estimation } }),
  updateEstimation: ({ estimation }) => ({
    params: { id: estimation },
    body: { title: "Web shop, second stage", hourlyRate: 118.5 },
  }),
  deleteEstimation: ({ estimation }) => ({ params: { id: estimation } }),
  restoreDeletedEstimation: ({ estimation }) => ({ params: { id: estimation } }),
  duplicateEstimation: ({ estimation }) => ({ params: { id: estimation } }),
};

export const portfolioSamples: Samples<typeof portfolio> = {
  getPortfolio: ({ estimation }) => ({
    query: { ids: [estimation], people: 2, hoursPerWeek: 30, from: "2027-01-04", until: "2027-02-26" },
  }),
};
