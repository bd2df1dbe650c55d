import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** How long a page shows what a link to it has loaded ahead, in milliseconds, before it loads it again. */
export const AHEAD_MS = 5_000;
/** While so many queries load, links load nothing ahead: what the reader waits for comes first. */
const BUSY = 4;

interface Loaded {
  readonly state: { readonly dataUpdatedAt: number };
}

/** Queries whose data a link has loaded, with when. */
const ahead = new WeakMap<Loaded, number>();

/** For a query that each page loads anew: its data are fresh only where the link to the page has loaded them. */
export const freshIfAhead = (query: Loaded): number => (ahead.get(query) === query.state.dataUpdatedAt ? AHEAD_MS : 0);

/** What a page loads first: options as `queryOptions` and `infiniteQueryOptions` return them. */
export type FirstQuery = { readonly queryKey: QueryKey };

/** Loads what a page shows first, unless it is fresh: once its link is pointed at, or when it is opened. */
export async function loadAhead(queries: QueryClient, first: readonly FirstQuery[], isOpened: boolean): Promise<void> {
  if (!isOpened && queries.isFetching() >= BUSY) return;
  await Promise.all(
    first.map(async (options) => {
      const find = () => queries.getQueryCache().find({ queryKey: options.queryKey });
      const before = find()?.state.dataUpdatedAt;
      await ("initialPageParam" in options
        ? queries.prefetchInfiniteQuery(options as Parameters<QueryClient["prefetchInfiniteQuery"]>[0])
        : queries.prefetchQuery(options));
      const query = find();
      if (query && query.state.dataUpdatedAt !== before) ahead.set(query, query.state.dataUpdatedAt);
    }),
  );
}
