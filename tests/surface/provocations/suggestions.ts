import type { Provocation, Provoking } from "./provoking.ts";

export const suggestionErrors = ({ asOwner }: Provoking) => {
  const judge = async (inputHash?: string) => {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "Empty" } });
    const path = `/api/estimations/${data.estimation?.id}/suggestion`;
    const { suggestion } = (await asOwner("GET", path)).data;
    const body = { inputHash: inputHash ?? suggestion?.inputHash, verdict: "accepted" };
    return asOwner("POST", `${path}/feedback`, { body });
  };
  return {
    suggestion_moved: () => judge("0".repeat(64)),
    nothing_suggested: () => judge(),
    "giveSuggestionFeedback suggestion_moved": () => judge("0".repeat(64)),
    "giveSuggestionFeedback nothing_suggested": () => judge(),
  } satisfies Record<string, Provocation>;
};
