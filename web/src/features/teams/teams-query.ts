import { queryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** The reader's teams: all of them, because nobody can be in more than fit on a page. */
export const teamsQuery = queryOptions({
  queryKey: keys.teams,
  queryFn: async () => (await api.listTeams({ query: { limit: limits.pageSizeMax } })).data.teams,
});
