import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { failureText, isRefusal } from "../../api/failure.ts";
import { texts } from "../../texts.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Message } from "../../ui/message.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { Editor } from "./editor.tsx";
import { estimationQuery, treeQuery } from "./queries.ts";

export function TreePage() {
  const { id } = useParams({ from: "/signed-in/estimations/$id" });
  const estimation = useQuery(estimationQuery(id));
  const tree = useQuery(treeQuery(id));
  useTitle(estimation.data?.title);
  const failed = estimation.error ?? tree.error;
  if (failed && (estimation.data === undefined || tree.data === undefined)) {
    const isUnseen = isRefusal(failed, "not_found");
    return (
      <Message
        title={isUnseen ? texts.unseen.title : texts.broken.title}
        text={isUnseen ? texts.unseen.text : failureText(failed)}
      >
        <LinkButton to="/estimations">{texts.backToList}</LinkButton>
      </Message>
    );
  }
  if (estimation.data === undefined || tree.data === undefined) return <SkeletonRows rows={10} />;
  return <Editor key={id} estimation={estimation.data} loaded={tree.data} />;
}
