import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { submissionProblems } from "../../../../domain/tree/problems.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { texts } from "../../texts.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./estimation-head.module.css";
import type { ShownProblem } from "./use-move.ts";

const t = texts.states;
const SHOWN = 50;

interface ProblemsProps {
  readonly estimationId: string;
  /** The problems from the refusal. */
  readonly told: readonly ShownProblem[];
  /** Where the tree is at hand, what is missing in it now. */
  readonly tree: Tree | undefined;
}

/** What has to be fixed before it can be submitted, each with a link to its place in the tree. */
export function Problems({ estimationId, told, tree }: ProblemsProps) {
  const problems = useMemo<readonly ShownProblem[]>(() => (tree ? submissionProblems(tree) : told), [tree, told]);
  if (problems.length === 0) return <Notice kind="info">{t.mended}</Notice>;
  return (
    <Notice kind="warn">
      {t.incomplete(problems.length)}
      <ul className={styles.problems}>
        {problems.slice(0, SHOWN).map(({ nodeId, optionId, mend }) => (
          <li key={`${nodeId} ${optionId} ${mend}`}>
            {nodeId === null ? (
              mend
            ) : (
              <Link to="/estimations/$id" params={{ id: estimationId }} hash={optionId ?? nodeId}>
                {mend}
              </Link>
            )}
          </li>
        ))}
        {problems.length > SHOWN && <li>{t.moreProblems(problems.length - SHOWN)}</li>}
      </ul>
    </Notice>
  );
}
