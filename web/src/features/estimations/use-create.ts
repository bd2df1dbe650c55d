import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { keys } from "../../api/keys.ts";

/** Makes an estimation by `make`, which returns its id, and opens it. */
export function useCreate<Given>(make: (given: Given) => Promise<string>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: make,
    onSuccess: async (id) => {
      void queries.invalidateQueries({ queryKey: keys.estimations });
      await navigate({ to: "/estimations/$id", params: { id } });
    },
  });
}
