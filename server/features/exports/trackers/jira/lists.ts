import { integerIn, listIn } from "../json.ts";
import { listPages } from "../lists.ts";
import type { Access, Call } from "../reach.ts";
import type { ApiRequest, ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";

const PAGE_SIZES = [50, 10, 1];
const REQUESTS_MAX = 200;

interface List<T> {
  readonly path: string;
  readonly query?: ApiRequest["query"];
  /** Name of the list in a response. */
  readonly list: string;
  /** Entries at most; a longer list is refused. */
  readonly most: number;
  /** What is returned of an entry; null: nothing. */
  readonly keep: (entry: unknown) => T | null;
  readonly refuse: (response: ApiResponse) => Promise<void>;
}

/** Reads all pages of a list that is asked for by `startAt`. */
export async function readAll<T>(
  send: Send,
  access: Access,
  { list, most, keep, ...asked }: List<T>,
  call?: Call,
): Promise<readonly T[]> {
  const kept: T[] = [];
  let read = 0;
  const pages = listPages(
    send,
    access,
    {
      ...asked,
      sizes: PAGE_SIZES,
      requestsMax: REQUESTS_MAX,
      page: (from, size) => ({ startAt: from, maxResults: size }),
      entries: (json) => (integerIn(json, "total") === null ? null : listIn(json, list)),
      next: ({ json }, { from, count }) =>
        count === 0 || from + count >= (integerIn(json, "total") ?? 0) ? null : from + count,
    },
    call,
  );
  for await (const page of pages) {
    read += page.length;
    if (read > most) throw new TrackerFault({ kind: "refused", reason: `the list has more than ${most} entries` });
    for (const entry of page) {
      const one = keep(entry);
      if (one !== null) kept.push(one);
    }
  }
  return kept;
}
