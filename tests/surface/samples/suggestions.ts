import type { suggestions } from "../../../contract/endpoints/suggestions.ts";
import type { Making, Samples } from "./noun.ts";

export interface SuggestionRecords {
  /** An estimation that nothing else changes, and what its suggestion was made from. */
  readonly suggested: string;
  readonly receipt: string;
}

export async function makeSuggestion({ call }: Making): Promise<SuggestionRecords> {
  const { estimation } = await call("POST", "/api/estimations", { title: "Customer portal" });
  const suggested = String(estimation?.id);
  const hours = { optimistic: 16, likely: 24, pessimistic: 60 };
  const options = [{ title: "Export of invoices as PDF", hours, role: "backend" }];
  await call("PUT", `/api/estimations/${suggested}/tree`, { nodes: [{ title: "Invoices", kind: "group", options }] });
  const { receipt } = await call("GET", `/api/estimations/${suggested}/suggestion`);
  return { suggested, receipt: String(receipt) };
}

export const suggestionSamples: Samples<typeof suggestions> = {
  getSuggestion: ({ suggested }) => ({ params: { id: suggested } }),
  giveSuggestionFeedback: ({ suggested, receipt }) => ({
    params: { id: suggested },
    body: { receipt, verdict: "accepted", hours: 32 },
  }),
  getSuggestionAccuracy: () => ({}),
};
