import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

export const accuracyQuery = queryOptions({
  queryKey: keys.accuracy,
  queryFn: async () => (await api.getTaskAccuracy()).data.accuracy,
});

/** How the reader's own estimates in rounds compare; null where they gave none. */
export const calibrationQuery = queryOptions({
  queryKey: keys.calibration,
  queryFn: async () => (await api.getSuggestionAccuracy({ query: { by: "me" } })).data.calibration ?? null,
});
