import { integerIn, listIn } from "../json.ts";
import { type Access, type Call, TrackerFault } from "../tracker.ts";
import type { ApiAnswer, Send } from "./requests.ts";

/** Sizes of a page, each a divisor of the one before: where an answer is too large, the next smaller one goes on there. */
const PAGE_SIZES = [50, 10, 1];
/** Requests for one list; more of them are a fault. */
const REQUESTS_MAX = 200;

export interface Listing<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Name of the list in an answer. */
  readonly list: string;
  /** Entries at most; a longer list is refused. */
  readonly most: number;
  /** What is kept of an entry; null: nothing. */
  readonly keep: (entry: unknown) => T | null;
  /** What to do with an answer that is no list: it throws, or the list is refused. */
  readonly refuse: (answer: ApiAnswer) => Promise<void>;
}

/** Reads all pages of a list that is asked for by `startAt`. */
export async function readAll<T>(
  send: Send,
  access: Access,
  { path, query, list, most, keep, refuse }: Listing<T>,
  call?: Call,
): Promise<readonly T[]> {
  const kept: T[] = [];
  let read = 0;
  let size = 0;
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    const paged = { ...query, startAt: read, maxResults: PAGE_SIZES[size] ?? 1 };
    const answer = await send(access, { method: "GET", path, query: paged }, call);
    if (answer.tooLarge && size + 1 < PAGE_SIZES.length) {
      size += 1;
      continue;
    }
    if (answer.status !== 200) {
      await refuse(answer);
      throw new TrackerFault({ kind: "refused", reason: answer.message });
    }
    const page = listIn(answer.json, list);
    read += page.length;
    if (read > most) throw new TrackerFault({ kind: "refused", reason: `the list has more than ${most} entries` });
    for (const entry of page) {
      const one = keep(entry);
      if (one !== null) kept.push(one);
    }
    const total = integerIn(answer.json, "total");
    if (total === null) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
    if (page.length === 0 || read >= total) return kept;
  }
  throw new TrackerFault({ kind: "unknown", reason: "list_too_long" });
}
