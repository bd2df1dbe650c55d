import type { QueryClient } from "@tanstack/react-query";
import type { Comment } from "../../../../../contract/endpoints/reviews.ts";
import type { ThreadMessage } from "../../../../../contract/endpoints/threads.ts";
import { limits } from "../../../../../contract/limits.ts";
import { api } from "../../../api/client.ts";
import { commentsQuery } from "../queries.ts";
import { lineOf, type Thread, threadsOf } from "./threads.ts";

/** What was said about the lines of a tree, for its margin. */
export interface Margin {
  /** Threads of comments that are open, and those that were settled while the margin showed them. */
  readonly threads: readonly Thread[];
  /** Messages of the current thread that are open and about a line, oldest first. */
  readonly messages: readonly ThreadMessage[];
  /** What is open, by the lines that it is about. */
  readonly open: Readonly<Record<string, number>>;
}

/** The most pages of open comments, and of open messages, that one look reads: the rest shows in the reviews and the thread. */
const PAGES = 5;
/** How long what was settled is not read again. */
const SETTLED_MS = 300_000;

interface Known {
  /** Whether there can be comments. */
  readonly hasReviews: boolean;
  /** The first page of the open messages. */
  readonly first: MessagePage;
  /** What showed before. */
  readonly former: Margin | undefined;
}

interface MessagePage {
  readonly messages: readonly ThreadMessage[];
  readonly nextCursor: string | null;
}

/** Loads what is open. */
export async function loadMargin(
  client: QueryClient,
  id: string,
  { hasReviews, first, former }: Known,
): Promise<Margin> {
  const [comments, messages] = await Promise.all([hasReviews ? openComments(id) : [], openMessages(id, first)]);
  const open = threadsOf(comments);
  const shown = new Set(open.map(({ first }) => first.id));
  const gone = (former?.threads ?? []).filter(({ first }) => !shown.has(first.id));
  const threads = [...open, ...(await settledOf(client, id, gone))];
  return { threads, messages, open: countOpen([...open.map(({ first }) => first), ...messages]) };
}

/** Returns how many of these are about each line. */
function countOpen(said: readonly Pick<Comment, "nodeId" | "optionId">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of said) {
    const line = lineOf(one);
    if (line !== null) counts[line] = (counts[line] ?? 0) + 1;
  }
  return counts;
}

async function openComments(id: string): Promise<Comment[]> {
  const comments: Comment[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= PAGES; page += 1) {
    const query = { limit: limits.pageSizeInside, cursor };
    const { data } = await api.listOpenComments({ params: { id }, query });
    comments.push(...data.comments);
    if (data.nextCursor === null) break;
    cursor = data.nextCursor;
  }
  return comments;
}

async function openMessages(id: string, first: MessagePage): Promise<ThreadMessage[]> {
  const messages = [...first.messages];
  let cursor = first.nextCursor;
  for (let page = 2; page <= PAGES && cursor !== null; page += 1) {
    const query = { limit: limits.pageSizeInside, cursor };
    const { data } = await api.listOpenMessages({ params: { id }, query });
    messages.push(...data.messages);
    cursor = data.nextCursor;
  }
  return messages.filter((message) => lineOf(message) !== null).reverse();
}

/** Returns those of the threads that were settled, as they are now, so that nothing vanishes while it is read; others are gone. */
async function settledOf(client: QueryClient, id: string, threads: readonly Thread[]): Promise<Thread[]> {
  const ids = new Set(threads.map(({ first }) => first.id));
  const reviews = [...new Set(threads.map(({ first }) => first.reviewId))];
  const read = async (reviewId: string) => {
    const isNew = threads.some(({ first }) => first.reviewId === reviewId && !first.resolved);
    const query = { ...commentsQuery(id, reviewId), staleTime: isNew ? 0 : SETTLED_MS };
    const comments = await client.fetchQuery(query).catch(() => []);
    return threadsOf(comments).filter(({ first }) => ids.has(first.id) && first.resolved);
  };
  return (await Promise.all(reviews.map(read))).flat();
}
