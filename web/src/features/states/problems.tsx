import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { submissionProblems } from "../../../../domain/tree/check/problems.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { keys } from "../../api/keys.ts";
import { Notice } from "../../ui/notice.tsx";
import { loadTree } from "../trees/sync/requests.ts";
import styles from "./estimation-head.module.css";
import { problemText } from "./problem-text.ts";
import { problemTexts as t } from "./problem-texts.ts";

const SHOWN = 50;

interface ProblemsProps {
  readonly estimationId: string;
  /** The tree, where it is at hand; what is missing in it now. */
  readonly tree: Tree | undefined;
}

/** What has to be fixed before it can be submitted, each with a link to its place in the tree. */
export function Problems({ estimationId, tree: edited }: ProblemsProps) {
  const loaded = useQuery({
    queryKey: keys.problems(estimationId),
    queryFn: () => loadTree(estimationId),
    gcTime: 0,
    enabled: edited === undefined,
  });
  const tree = edited ?? loaded.data;
  const problems = useMemo(
    () => tree && submissionProblems(tree).map((problem) => ({ ...problem, text: problemText(tree, problem) })),
    [tree],
  );
  if (problems === undefined) return null;
  if (problems.length === 0) return <Notice kind="info">{t.remedied}</Notice>;
  return (
    <Notice kind="warn">
      {t.incomplete(problems.length)}
      <ul className={styles.problems}>
        {problems.slice(0, SHOWN).map(({ nodeId, optionId, text }) => (
          <li key={`${nodeId} ${optionId} ${text}`}>
            {nodeId === null ? (
              text
            ) : (
              <Link to="/estimations/$id" params={{ id: estimationId }} hash={optionId ?? nodeId}>
                {text}
              </Link>
            )}
          </li>
        ))}
        {problems.length > SHOWN && <li>{t.moreProblems(problems.length - SHOWN)}</li>}
      </ul>
    </Notice>
  );
}
