import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import { api } from "../../api/client.ts";
import { failureText, isPassing, isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shared;

interface AcceptLinkProps {
  readonly shareId: string;
  /** The share, if it is among those that are shown. */
  readonly share: Share | undefined;
}

/**
 * Accepts the invitation that a mailed link names by a button, and opens the estimation. Opening the page accepts nothing; what
 * was accepted already, as signing in does, is just opened.
 */
export function AcceptLink({ shareId, share }: AcceptLinkProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const session = useSession();
  const open = useCallback(
    (id: string) => navigate({ to: "/estimations/$id", params: { id }, replace: true }),
    [navigate],
  );
  const acceptedId = share?.status === "accepted" ? share.estimationId : undefined;
  useEffect(() => {
    if (acceptedId !== undefined) void open(acceptedId);
  }, [acceptedId, open]);
  const accept = useMutation({
    mutationFn: async () => (await api.acceptShare({ params: { shareId } })).data.share,
    onSuccess: ({ estimationId }) => {
      for (const queryKey of [keys.shares, keys.estimations, keys.waitingReviews])
        void queries.invalidateQueries({ queryKey });
      void open(estimationId);
    },
  });
  if (acceptedId !== undefined) return null;
  const { error } = accept;
  const known = isRefusal(error, "not_found")
    ? t.wrongAddress(session?.email ?? "")
    : isRefusal(error, "invitation_expired")
      ? t.expired
      : null;
  return (
    <Notice
      kind={error === null ? "info" : known === null ? "bad" : "warn"}
      action={
        (error === null || isPassing(error)) && (
          <Button size="compact-sm" loading={accept.isPending} onClick={() => accept.mutate()}>
            {error === null ? t.acceptAndOpen : uiTexts.retry}
          </Button>
        )
      }
    >
      {error === null ? t.invited(share?.estimationTitle) : (known ?? failureText(error))}
    </Notice>
  );
}
