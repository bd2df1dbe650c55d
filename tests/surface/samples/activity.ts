import type { activity } from "../../../contract/endpoints/activity.ts";
import type { Samples } from "./noun.ts";

export const activitySamples: Samples<typeof activity> = {
  listActivity: ({ estimation }) => ({ params: { id: estimation } }),
};
