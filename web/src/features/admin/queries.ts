import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { FirstQuery } from "../../api/ahead.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { currentSession } from "../../api/session.ts";
import type { AccountSearch, EventSearch } from "./admin-search.ts";
import { asAdministrator } from "./recent-sign-in.ts";

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor ?? undefined,
};

interface Asked {
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
}

/** Reads what a page of administrators shows. */
const read = <R>({ client, queryKey }: Asked, call: () => Promise<R>): Promise<R> =>
  asAdministrator(call, () => client.getQueryCache().find({ queryKey, exact: true })?.isActive() ?? false);

/** Pages of administrators load nothing for others, to whom they do not exist. */
export const forAdministrators = (first: readonly FirstQuery[]): readonly FirstQuery[] =>
  currentSession()?.isAdministrator ? first : [];

export const accountsQuery = ({ q, state }: AccountSearch) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.accounts({ q, state }),
    queryFn: (asked) =>
      read(asked, async () => {
        const query = { cursor: asked.pageParam, ...(q && { q }), ...(state && { state: [state] }) };
        return (await api.listAccounts({ query })).data;
      }),
  });

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: keys.account(id),
    queryFn: (asked) => read(asked, async () => (await api.getAccount({ params: { id } })).data.account),
  });

/** A day as the reader's clock has it: from its first moment, or before that of the next one. */
const moment = (day: string | undefined, days: number): string | undefined => {
  if (day === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + days).toISOString();
};

export const eventsQuery = ({ userId, actorId, event, from, to }: EventSearch) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.instanceEvents({ userId, actorId, event, from, to }),
    queryFn: (asked) =>
      read(asked, async () => {
        const query = {
          ...{ cursor: asked.pageParam, userId, actorId, from: moment(from, 0), to: moment(to, 1) },
          ...(event && { event: [event] }),
        };
        return (await api.listInstanceEvents({ query })).data;
      }),
  });

export const statusQuery = queryOptions({
  queryKey: keys.instanceStatus,
  queryFn: (asked) => read(asked, async () => (await api.getInstanceStatus()).data.status),
  refetchInterval: 30_000,
});
