import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { FailedPage } from "../../ui/failed-page.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { Editor } from "./editor.tsx";
import { treeQuery } from "./queries.ts";

export function TreePage() {
  const { id } = useParams({ from: "/signed-in/estimations/$id" });
  const estimation = useQuery(estimationQuery(id));
  const tree = useQuery(treeQuery(id));
  useTitle(estimation.data?.title);
  const failed = estimation.error ?? tree.error;
  if (failed && (estimation.data === undefined || tree.data === undefined)) {
    const retry = () => void Promise.all([estimation.refetch(), tree.refetch()]);
    return <FailedPage error={failed} onRetry={retry} />;
  }
  if (estimation.data === undefined || tree.data === undefined) return <SkeletonRows rows={10} />;
  return <Editor key={id} estimation={estimation.data} loaded={tree.data} />;
}
