import type { Comment } from "../../../../../contract/endpoints/reviews.ts";

/** A first comment with its replies, oldest first. */
export interface Thread {
  readonly first: Comment;
  readonly replies: readonly Comment[];
}

/** Returns the threads of comments that are sorted oldest first, in the order of their first comments. */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const replies = new Map<string, Comment[]>();
  for (const comment of comments) {
    if (comment.parentId === null) continue;
    const known = replies.get(comment.parentId);
    if (known) known.push(comment);
    else replies.set(comment.parentId, [comment]);
  }
  return comments
    .filter(({ parentId }) => parentId === null)
    .map((first) => ({ first, replies: replies.get(first.id) ?? [] }));
}

/** Returns the option or the question that a comment is about; null for the whole estimation. */
export const lineOf = ({ optionId, nodeId }: Pick<Comment, "optionId" | "nodeId">): string | null => optionId ?? nodeId;

/** Returns how many open threads each line has. */
export function openByLine(threads: readonly Thread[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { first } of threads) {
    const line = lineOf(first);
    if (line !== null && !first.resolved) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

/** Returns a text in pieces: those that link to a line, such as `#opt_…`, are `{ line }`. */
export function piecesOf(text: string): (string | { readonly line: string })[] {
  const found = text.split(/#((?:opt|nod)_[0-9a-z]{26})/);
  return found.map((piece, at) => (at % 2 === 1 ? { line: piece } : piece)).filter((piece) => piece !== "");
}
