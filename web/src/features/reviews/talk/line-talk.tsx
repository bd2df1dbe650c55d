import { useMemo } from "react";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import type { ThreadMessage } from "../../../../../contract/endpoints/threads.ts";
import { mayComment } from "../../../../../domain/reviews.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { useSession } from "../../../api/session.ts";
import { titlesOf } from "../../trees/marked/marked-tree.ts";
import { reviewTexts } from "../texts.ts";
import { LineMessages } from "./line-messages.tsx";
import styles from "./talk.module.css";
import { ThreadView } from "./thread-view.tsx";
import type { Thread } from "./threads.ts";

interface LineTalkProps {
  /** The threads about the line. */
  readonly threads: readonly Thread[];
  /** The messages about it. */
  readonly messages: readonly ThreadMessage[];
  readonly estimation: Pick<Estimation, "id" | "access">;
  /** The tree that shows. */
  readonly tree: Tree;
}

/** What was said about a line of the editor. */
export function LineTalk({ threads, messages, estimation, tree }: LineTalkProps) {
  const { id, access } = estimation;
  const userId = useSession()?.userId ?? "";
  const titles = useMemo(() => titlesOf(tree), [tree]);
  return (
    <section aria-label={reviewTexts.talk.title} className={styles.threads}>
      <h2>{reviewTexts.talk.title}</h2>
      {threads.map((thread) => (
        <ThreadView
          key={thread.first.id}
          thread={thread}
          isPlaced
          estimationId={id}
          userId={userId}
          canWrite={mayComment(access, access === "reviewer")}
          titleOf={(line) => titles.get(line)}
        />
      ))}
      <LineMessages messages={messages} estimation={estimation} userId={userId} />
    </section>
  );
}
