import { useMemo, useState } from "react";
import { rollUp } from "../../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { apply } from "../../../../domain/versions/apply.ts";
import type { Operation, Snapshot } from "../../../../domain/versions/shape.ts";
import { LinePanel } from "../reviews/line-panel.tsx";
import { usePageKeys } from "../trees/commands/use-page-keys.ts";
import { Beside } from "../trees/marked/beside.tsx";
import { MarkedGrid } from "../trees/marked/marked-grid.tsx";
import { countedHours } from "../trees/marked/marked-hours.ts";
import { type MarkedTree, markTree, titlesOf } from "../trees/marked/marked-tree.ts";
import { Steps } from "../trees/marked/steps.tsx";
import { useMarked } from "../trees/marked/use-marked.ts";
import { treeTexts } from "../trees/texts.ts";
import styles from "./merged-tree.module.css";
import { versionTexts } from "./texts.ts";

const t = versionTexts.changes;

interface MergedTreeProps {
  /** The tree that is changed. */
  readonly before: Tree;
  readonly operations: readonly Operation[];
  /** Whether something else is decided beside it. */
  readonly isSmall?: boolean;
}

/** What a merge would make of a tree, with the marks of what it changes. */
export function MergedTree({ before, operations, isSmall = false }: MergedTreeProps) {
  const merged = useMemo(() => mergedOf(before, operations), [before, operations]);
  // What somebody changed meanwhile; the merge itself is refused then, and asked about anew.
  return merged === null ? <p className="muted">{t.moved}</p> : <Marked {...{ before, merged, isSmall }} />;
}

interface Merged {
  readonly after: Tree;
  readonly marked: MarkedTree;
}

/** Returns the tree after the operations; null if they do not fit. */
function mergedOf(before: Tree, operations: readonly Operation[]): Merged | null {
  const ofTree = operations.filter(({ target }) => target === "node" || target === "option");
  try {
    const after = apply({ ...EMPTY, tree: before }, ofTree).tree;
    return { after, marked: markTree(before, after, operations) };
  } catch {
    return null;
  }
}

const EMPTY: Omit<Snapshot, "tree"> = {
  ...{ title: "", description: "", assumptions: "", clientName: null, hourlyRate: null, currency: null },
  ...{ correlation: 0, rounding: 0.01, timeline: null, milestones: [] },
};

interface MarkedProps extends Pick<MergedTreeProps, "before"> {
  readonly merged: Merged;
  readonly isSmall: boolean;
}

function Marked({ before, merged: { after, marked }, isSmall }: MarkedProps) {
  const only = useState(true);
  const view = useMarked(marked, only);
  usePageKeys({ n: () => view.step(1), p: () => view.step(-1) }, true);
  const [was, is] = useMemo(() => [hoursOf(before), hoursOf(after)] as const, [before, after]);
  const titles = useMemo(() => titlesOf(marked.tree), [marked]);
  const { rows, row, line, setLine, setOpen } = view;
  return (
    <section aria-label={t.tree}>
      <Beside operations={marked.beside} />
      {view.stops.length > 0 && (
        <>
          <div className={styles.bar}>
            <Steps view={view} only={t.only} />
          </div>
          <div className={`${styles.tree} ${isSmall ? styles.small : ""}`}>
            <MarkedGrid
              label={treeTexts.estimation.tree}
              rows={rows}
              marks={marked.marks}
              before={was}
              after={is}
              line={line}
              setLine={setLine}
              setOpen={setOpen}
              viewed={null}
              talks={null}
              detail={
                row && (
                  <LinePanel
                    row={row}
                    mark={marked.marks.get(row.id)}
                    titleOf={(id) => titles.get(id)}
                    onComment={null}
                  />
                )
              }
            />
          </div>
        </>
      )}
    </section>
  );
}

const hoursOf = (tree: Tree) => countedHours(tree, rollUp(tree, EMPTY).byNode);
