import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { accessLevels } from "../../../../contract/rights.ts";
import { api } from "../../api/client.ts";
import type { ListSearch } from "./list-search.ts";

const PAGE = 50;

export const listQuery = ({ status, access, tag, ...search }: ListSearch) =>
  infiniteQueryOptions({
    queryKey: ["estimations", { status, access, tag, ...search }],
    queryFn: async ({ pageParam: cursor }) => {
      const one = <T>(value: T | undefined) => (value === undefined ? undefined : [value]);
      const levels = access === "shared" ? accessLevels.filter((level) => level !== "owner") : one(access);
      const filters = { status: one(status), access: levels, tag: one(tag) };
      return (await api.listEstimations({ query: { ...search, ...filters, limit: PAGE, cursor } })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const trashQuery = infiniteQueryOptions({
  queryKey: ["estimations", "deleted"],
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listEstimations({ query: { deleted: true, limit: PAGE, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

export const estimationQuery = (id: string) =>
  queryOptions({
    queryKey: ["estimation", id],
    // Other pages, and other people, change it: each page asks anew, and shows what is known meanwhile.
    staleTime: 0,
    queryFn: async () => (await api.getEstimation({ params: { id } })).data.estimation,
  });
