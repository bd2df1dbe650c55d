import type { Access, Call } from "./reach.ts";
import type { ApiRequest, ApiResponse, Send } from "./requests.ts";
import { TrackerFault } from "./tracker-fault.ts";

/** How a list is asked for, page by page. */
export interface Listing {
  readonly path: string;
  readonly query?: ApiRequest["query"];
  /**
   * Sizes of a page, each a divisor of the one before: if a response is too large, reading continues with the next
   * smaller size.
   */
  readonly sizes: readonly number[];
  /** A list that takes more requests than this is a fault of the kind `refused`. */
  readonly requestsMax: number;
  /** Returns the request for up to `size` entries after `from` entries. */
  readonly page: (from: number, size: number) => ApiRequest["query"];
  /** Returns the entries of a response; null: it is not a list. */
  readonly entries: (json: unknown) => readonly unknown[] | null;
  /** Returns where the next page begins; null: this one is the last. */
  readonly next: (
    response: ApiResponse,
    read: { readonly from: number; readonly size: number; readonly count: number },
  ) => number | null;
  /** Handles a response that is not a list: if it does not throw, the list is refused. */
  readonly refuse: (response: ApiResponse) => Promise<void>;
}

/** Yields the entries of a list, page by page, until it ends or the caller stops. */
export async function* listPages(
  send: Send,
  access: Access,
  { path, query, sizes, requestsMax, page, entries, next, refuse }: Listing,
  call?: Call,
): AsyncGenerator<readonly unknown[]> {
  let smaller = 0;
  let from = 0;
  for (let requests = 0; requests < requestsMax; requests += 1) {
    const size = sizes[smaller] ?? 1;
    const response = await send(access, { method: "GET", path, query: { ...query, ...page(from, size) } }, call);
    if (response.tooLarge && smaller + 1 < sizes.length) {
      smaller += 1;
      continue;
    }
    if (response.status !== 200) {
      await refuse(response);
      throw new TrackerFault({ kind: "refused", reason: response.message });
    }
    const listed = entries(response.json);
    if (listed === null) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    yield listed;
    const following = next(response, { from, size, count: listed.length });
    if (following === null) return;
    from = following;
  }
  throw new TrackerFault({ kind: "refused", reason: `the list is longer than ${requestsMax} requests` });
}
