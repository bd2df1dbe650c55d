import { type Call, type Place, TrackerFault } from "../tracker.ts";
import { throwIfBlocked } from "./repository.ts";
import type { Send } from "./requests.ts";

/** Sizes of a page, each a divisor of the one before: where an answer is too large, the next smaller one goes on there. */
const PAGE_SIZES = [100, 50, 25, 5, 1];

export interface Listing {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** More requests than this are a fault of the kind `refused`. */
  readonly requestsMax: number;
}

/** Yields the entries of a list, page by page, until it ends or the caller stops. */
export async function* listPages(
  send: Send,
  place: Place,
  { path, query, requestsMax }: Listing,
  call?: Call,
): AsyncGenerator<readonly unknown[]> {
  let size = 0;
  let page = 1;
  for (let requests = 0; requests < requestsMax; requests += 1) {
    const perPage = PAGE_SIZES[size] ?? 1;
    const request = { method: "GET", path, query: { ...query, per_page: perPage, page } } as const;
    const answer = await send(place.access, request, call);
    if (answer.tooLarge && size + 1 < PAGE_SIZES.length) {
      size += 1;
      page = (page - 1) * (perPage / (PAGE_SIZES[size] ?? 1)) + 1;
      continue;
    }
    if (answer.status !== 200) {
      await throwIfBlocked(send, place, answer, { writes: false }, call);
      throw new TrackerFault({ kind: "refused", reason: answer.message });
    }
    if (!Array.isArray(answer.json)) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    yield answer.json;
    if (!/;\s*rel="?next"?/.test(answer.headers.link ?? "")) return;
    page += 1;
  }
  throw new TrackerFault({ kind: "refused", reason: `the list is longer than ${requestsMax} requests` });
}
