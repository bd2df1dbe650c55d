import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { api } from "../../api/client.ts";
import { failureText, isPassing, isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shared;

/** Accepts the invitation that a mailed link names, and opens the estimation. Doing it again changes nothing. */
export function AcceptLink({ shareId }: { readonly shareId: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const session = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: keys.acceptShare(shareId),
    queryFn: async () => (await api.acceptShare({ params: { shareId } })).data.share,
    staleTime: Number.POSITIVE_INFINITY,
    // Retried only when the user presses the button.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const id = data?.estimationId;
  useEffect(() => {
    if (id === undefined) return;
    for (const queryKey of [keys.estimations, keys.waitingReviews]) void queries.invalidateQueries({ queryKey });
    void navigate({ to: "/estimations/$id", params: { id }, replace: true });
  }, [id, navigate, queries]);
  if (error === null) return <Notice kind="info">{t.accepting}</Notice>;
  const known = isRefusal(error, "not_found")
    ? t.wrongAddress(session?.email ?? "")
    : isRefusal(error, "invitation_expired")
      ? t.expired
      : null;
  return (
    <Notice
      kind={known === null ? "bad" : "warn"}
      action={
        isPassing(error) && (
          <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
            {uiTexts.retry}
          </Button>
        )
      }
    >
      {known ?? failureText(error)}
    </Notice>
  );
}
