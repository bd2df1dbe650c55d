import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { rollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { failureText } from "../../api/failure.ts";
import { FloatingNotice } from "../../ui/floating-notice.tsx";
import { OpenDialog } from "./open-dialog.tsx";
import { currentTreeQuery } from "./queries.ts";

interface OpenHereProps {
  readonly estimation: Estimation;
  readonly onClose: () => void;
}

/** The dialog that opens a round, where the tree does not show: it is loaded first. */
export function OpenHere({ estimation, onClose }: OpenHereProps) {
  const { id, correlation, hourlyRate, currency } = estimation;
  const query = useQuery(currentTreeQuery(id));
  const { data } = query;
  const tree = data?.tree;
  const uncertainty = useMemo(
    () => tree && rollUp(tree, { correlation, hourlyRate, currency }).uncertainty,
    [tree, correlation, hourlyRate, currency],
  );
  if (query.isError && !tree) return <FloatingNotice kind="bad">{failureText(query.error)}</FloatingNotice>;
  if (!data || !tree || !uncertainty) return null;
  return (
    <OpenDialog
      estimationId={id}
      tree={tree}
      uncertainty={uncertainty}
      revision={async () => data.etag}
      catchUp={() => query.refetch()}
      onClose={onClose}
    />
  );
}
