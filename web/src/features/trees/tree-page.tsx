import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { isRefusal } from "../../api/failure.ts";
import { currentSession } from "../../api/session.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Message } from "../../ui/message.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { Editor } from "./editor.tsx";
import { dropDrafts, hasDrafts } from "./saving/drafts.ts";
import { treeQuery } from "./saving/queries.ts";

export function TreePage() {
  const { id } = useParams({ from: "/signed-in/estimations/$id" });
  const estimation = useQuery(estimationQuery(id));
  const tree = useQuery(treeQuery(id));
  const shown = estimation.data ?? tree.data?.current().estimation;
  useTitle(shown?.title);
  if (tree.data && shown) return <Editor key={id} estimation={shown} sync={tree.data} />;
  const failed = estimation.error ?? tree.error;
  if (failed) {
    const retry = () => void Promise.all([estimation.refetch(), tree.refetch()]);
    return isRefusal(failed, "not_found") && hasDrafts(currentSession()?.userId ?? "", id) ? (
      <UnseenDrafts id={id} error={failed} />
    ) : (
      <FailedPage error={failed} onRetry={retry} />
    );
  }
  return <SkeletonRows rows={10} />;
}

/** An estimation that may not be seen any more, with edits of it that could not be saved. */
function UnseenDrafts({ id, error }: { readonly id: string; readonly error: Error }) {
  const [isDropped, setDropped] = useState(false);
  if (isDropped) return <FailedPage error={error} />;
  const drop = () => {
    dropDrafts(currentSession()?.userId ?? "", id);
    setDropped(true);
  };
  return (
    <Message title={uiTexts.unseen.title} text={`${uiTexts.unseen.text} ${uiTexts.unseen.drafts}`}>
      <Button variant="default" onClick={drop}>
        {uiTexts.unseen.dropDrafts}
      </Button>
    </Message>
  );
}
