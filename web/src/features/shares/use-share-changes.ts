import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import type { SharePermission } from "../../../../contract/values/share-permissions.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { sharesQuery } from "./queries.ts";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shares;

export type ShareChanges = ReturnType<typeof useShareChanges>;

interface Permitted {
  readonly share: Share;
  readonly permission: SharePermission;
}

/** What was done last, in words, and the share that was sent again. */
interface Said {
  readonly text: string;
  readonly sent?: Share;
}

/** What the owner can do with the shares of an estimation. */
export function useShareChanges({ id }: Estimation) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [said, setSaid] = useState<Said | null>(null);
  const reload = () => queries.invalidateQueries({ queryKey: sharesQuery(id).queryKey });
  const begin = () => {
    setSaid(null);
    for (const change of [permit, resend, remove]) if (change.isError) change.reset();
  };
  // The cause may be a change by another tab or person, so the list is read again anyway.
  const permit = useMutation({
    // What is chosen meanwhile is stored afterwards.
    scope: { id: `permissions of ${id}` },
    mutationFn: ({ share: { email, team }, permission }: Permitted) =>
      api.createShare({
        params: { id },
        body: { ...(team === null ? { email: email ?? "" } : { teamId: team.id }), permission },
      }),
    onMutate: begin,
    onSettled: reload,
  });
  const resend = useMutation({
    mutationFn: (share: Share) => api.resendShare({ params: { id, shareId: share.id } }),
    onMutate: begin,
    onSuccess: (_, sent) => setSaid({ text: t.resent(sent.email ?? ""), sent }),
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: (share: Share) => api.deleteShare({ params: { shareId: share.id } }),
    onMutate: begin,
    onSuccess: (_, { email, status }) => setSaid(status === "accepted" ? null : { text: t.revoked(email ?? "") }),
    onSettled: reload,
  });
  const transfer = useMutation({
    mutationFn: async ({ userId }: Share) =>
      (await api.transferEstimation({ params: { id }, body: { userId: userId ?? "" } })).data.estimation,
    onSuccess: async (estimation) => {
      // The page belongs to the new owner now, so it is left before it shows an error.
      await navigate({ to: "/estimations/$id", params: { id } });
      queries.setQueryData(estimationQuery(id).queryKey, estimation);
      void queries.invalidateQueries({ queryKey: keys.estimations });
    },
    onError: reload,
  });
  return { permit, resend, remove, transfer, said };
}
