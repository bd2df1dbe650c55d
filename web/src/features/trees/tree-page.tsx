import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Estimation } from "../../../../contract/estimations.ts";
import type { Tree } from "../../../../contract/tree.ts";
import { rollUp } from "../../../../domain/tree/roll-up.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { texts } from "../../texts.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Message } from "../../ui/message.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { EstimatePanel } from "./estimate-panel.tsx";
import { OutlineView } from "./outline-view.tsx";
import { estimationQuery, treeQuery } from "./queries.ts";
import styles from "./tree-page.module.css";

const t = texts.estimation;

export function TreePage() {
  const { id } = useParams({ from: "/signed-in/estimations/$id" });
  const estimation = useQuery(estimationQuery(id));
  const tree = useQuery(treeQuery(id));
  useTitle(estimation.data?.title);
  const failed = estimation.error ?? tree.error;
  if (failed) {
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
  return <Loaded estimation={estimation.data} tree={tree.data} />;
}

function Loaded({ estimation, tree }: { readonly estimation: Estimation; readonly tree: Tree }) {
  const hours = useMemo(() => rollUp(tree, estimation), [tree, estimation]);
  return (
    <>
      <div className={styles.head}>
        <p className={styles.crumb}>
          <Link to="/estimations">{texts.estimations.title}</Link>
        </p>
        <h1>{estimation.title}</h1>
        <StatusMark status={estimation.status} />
        {estimation.clientName && <span className="muted">{estimation.clientName}</span>}
      </div>
      <div className={styles.columns}>
        <section aria-label={t.tree} className={styles.tree}>
          {tree.nodes.length === 0 ? <p className="muted">{t.emptyTree}</p> : <OutlineView nodes={tree.nodes} />}
        </section>
        <EstimatePanel hours={hours} />
      </div>
    </>
  );
}
