import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { reloadReview } from "../queries.ts";

/** What is said, and what it is about. */
export interface Said {
  readonly body: string;
  readonly nodeId?: string | null;
  readonly optionId?: string | null;
  readonly parentId?: string;
}

/** Writing, changing, deleting, settling and reopening the comments of a review. */
export function useTalk(id: string, reviewId: string) {
  const queries = useQueryClient();
  const reload = () => reloadReview(queries, id, reviewId);
  const of = (commentId: string) => ({ id, reviewId, commentId });
  return {
    say: useMutation({
      mutationFn: (body: Said) => api.createComment({ params: { id, reviewId }, body: { ...body } }),
      onSettled: reload,
    }),
    change: useMutation({
      mutationFn: ({ commentId, ...body }: { commentId: string; body?: string; resolved?: boolean }) =>
        api.updateComment({ params: of(commentId), body }),
      onSettled: reload,
    }),
    remove: useMutation({
      mutationFn: (commentId: string) => api.deleteComment({ params: of(commentId) }),
      onSettled: reload,
    }),
  };
}
