import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Preferences } from "../../../../contract/endpoints/preferences.ts";
import { api } from "../../api/client.ts";
import { preferencesQuery } from "./queries.ts";

/** Changes how the application looks to the reader, at once; a failure puts it back. */
export function useChangePreferences() {
  const queries = useQueryClient();
  const { queryKey } = preferencesQuery;
  return useMutation({
    // One after the other: each response has all of them.
    scope: { id: "preferences" },
    mutationFn: (changes: Partial<Preferences>) => api.updatePreferences({ body: changes }),
    onMutate: async (changes) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (before) => before && { ...before, ...changes });
    },
    onSuccess: ({ data }) => queries.setQueryData(queryKey, data.preferences),
    onError: () => queries.invalidateQueries({ queryKey }),
  });
}
