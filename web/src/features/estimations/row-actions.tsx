import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Notice } from "../../ui/notice.tsx";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

export interface RowActions {
  readonly duplicate: (estimation: Estimation) => void;
  readonly remove: (estimation: Estimation) => void;
  /** What the last action did, or why it failed. */
  readonly notice: ReactNode;
}

const paramsOf = ({ id }: Estimation) => ({ params: { id } });

/** What can be done with an estimation of the list. */
export function useRowActions(): RowActions {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const changed = () => queries.invalidateQueries({ queryKey: keys.estimations });
  const duplicate = useMutation({
    mutationFn: (estimation: Estimation) => api.duplicateEstimation(paramsOf(estimation)),
    onSuccess: async ({ data }) => {
      await changed();
      await navigate({ to: "/estimations/$id", params: { id: data.estimation.id } });
    },
  });
  const restore = useMutation({
    mutationFn: (estimation: Estimation) => api.restoreDeletedEstimation(paramsOf(estimation)),
    onSuccess: () => {
      remove.reset();
      return changed();
    },
  });
  const remove = useMutation({
    mutationFn: (estimation: Estimation) => api.deleteEstimation(paramsOf(estimation)),
    onMutate: () => restore.reset(),
    onSuccess: changed,
  });
  const failed = duplicate.error ?? remove.error ?? restore.error;
  const { variables: removed } = remove;
  const notice = failed ? (
    <Notice kind="bad">{failureText(failed)}</Notice>
  ) : remove.isSuccess && removed ? (
    <Notice
      kind="info"
      action={
        <Button variant="subtle" size="compact-sm" loading={restore.isPending} onClick={() => restore.mutate(removed)}>
          {t.undo}
        </Button>
      }
    >
      {t.removed(removed.title)}
    </Notice>
  ) : null;
  return { duplicate: duplicate.mutate, remove: remove.mutate, notice };
}
