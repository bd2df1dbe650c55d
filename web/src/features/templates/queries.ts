import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

/** Which templates show: those whose name contains `q`, and only those of an owner if one is given. */
interface Shown {
  readonly q?: string | undefined;
  readonly ownerId?: string | undefined;
}

export const templatesQuery = ({ q, ownerId }: Shown) =>
  infiniteQueryOptions({
    queryKey: keys.templateList(q, ownerId),
    queryFn: async ({ pageParam: cursor }) => (await api.listTemplates({ query: { q, ownerId, cursor } })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: keys.template(id),
    queryFn: async () => (await api.getTemplate({ params: { id } })).data.template,
  });

/** The estimations that a template can be made from, or added to: those that were worked on last. */
export const estimationsQuery = (isAdded: boolean) =>
  queryOptions({
    queryKey: keys.estimationsFor(isAdded ? "added-template" : "new-template"),
    queryFn: async () => {
      const drafts = { status: ["draft"], access: ["owner", "editor"] } as const;
      const filters = isAdded ? { status: [...drafts.status], access: [...drafts.access] } : {};
      return (await api.listEstimations({ query: { ...filters, limit: limits.pageSizeMax } })).data.estimations;
    },
  });
