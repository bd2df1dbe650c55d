import { listPages } from "../lists.ts";
import type { Call, Reached } from "../reach.ts";
import type { Send } from "../requests.ts";
import { throwIfBlocked } from "./repository.ts";

const PAGE_SIZES = [100, 50, 25, 5, 1];

interface List {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly requestsMax: number;
}

/** Yields the entries of a list of GitHub, which says in a header whether another page follows. */
export const listEntries = (
  send: Send,
  reached: Reached,
  list: List,
  call?: Call,
): AsyncGenerator<readonly unknown[]> =>
  listPages(
    send,
    reached.access,
    {
      ...list,
      sizes: PAGE_SIZES,
      page: (from, size) => ({ per_page: size, page: from / size + 1 }),
      entries: (json) => (Array.isArray(json) ? json : null),
      next: ({ headers }, { from, size }) => (/;\s*rel="?next"?/.test(headers.link ?? "") ? from + size : null),
      refuse: (response) => throwIfBlocked(send, reached, response, { writes: false }, call),
    },
    call,
  );
