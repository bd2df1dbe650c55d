import { useCallback, useMemo, useRef } from "react";
import { waterfall } from "../../../../domain/compare/waterfall.ts";
import { rollUp } from "../../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { Delta } from "../../ui/numbers/delta.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { LinePanel } from "../reviews/line-panel.tsx";
import columns from "../trees/columns.module.css";
import { usePageKeys } from "../trees/commands/use-page-keys.ts";
import { Beside } from "../trees/marked/beside.tsx";
import { type HoursColumn, MarkedGrid } from "../trees/marked/marked-grid.tsx";
import { countedHours } from "../trees/marked/marked-hours.ts";
import page from "../trees/marked/marked-page.module.css";
import { markTree, titlesOf } from "../trees/marked/marked-tree.ts";
import { Steps } from "../trees/marked/steps.tsx";
import { markedTexts } from "../trees/marked/texts.ts";
import { useIsNarrow } from "../trees/marked/use-is-narrow.ts";
import { useLinkedLine } from "../trees/marked/use-linked-line.ts";
import { useMarked, useOnlyInAddress } from "../trees/marked/use-marked.ts";
import { treeTexts } from "../trees/texts.ts";
import styles from "./compare.module.css";
import { matchOthers } from "./matched.ts";
import { PrintedChanges } from "./printed-changes.tsx";
import type { Compared, Content } from "./queries.ts";
import { compareTexts as t } from "./texts.ts";
import { WaterfallChart } from "./waterfall-chart.tsx";

/** One more content, with what it is called. */
export interface Other {
  readonly id: string;
  readonly name: string;
  readonly content: Content;
}

interface ComparedTreeProps {
  readonly compared: Compared;
  /** What both are called, where one is another estimation. */
  readonly names: readonly [from: string, to: string] | undefined;
  /** Contents that have columns beside the two. */
  readonly others: readonly Other[];
}

/** All contents as one tree, with the marks of the two that are compared, the difference of the estimate, and where it comes from. */
export function ComparedTree({ compared, names, others }: ComparedTreeProps) {
  const { from, to, operations } = compared;
  const fall = useMemo(() => waterfall(from, to), [from, to]);
  const before = useMemo(() => hoursOf(from), [from]);
  const after = useMemo(() => hoursOf(to), [to]);
  const two = useMemo(() => markTree(from.tree, to.tree, operations), [from, to, operations]);
  const { tree, columns: more } = useOthers(two.tree, compared, others);
  const marked = useMemo(() => ({ ...two, tree }), [two, tree]);
  const titles = useMemo(() => titlesOf(marked.tree), [marked]);
  const titleOf = useCallback((id: string) => titles.get(id), [titles]);
  const view = useMarked(marked, useOnlyInAddress());
  useLinkedLine(view.line, view.goTo);
  usePageKeys({ n: () => view.step(1), p: () => view.step(-1) });
  const isNarrow = useIsNarrow();
  if (operations.length === 0 && others.length === 0) return <p className={styles.same}>{t.same}</p>;
  const { rows, row, line, setLine, setOpen } = view;
  const [nameOfBefore, nameOfAfter] = names ?? [markedTexts.columns.before, markedTexts.columns.after];
  const figures = [{ name: nameOfBefore, hours: before }, { name: nameOfAfter, hours: after }, ...more];
  const linePanel = row && (
    <LinePanel
      row={row}
      mark={marked.marks.get(row.id)}
      titleOf={titleOf}
      hours={figures.map(({ name, hours }) => [name, hours.get(row.id) ?? 0])}
      onComment={null}
    />
  );
  return (
    <div className={`${columns.columns} ${page.columns} ${styles.columns}`}>
      <section aria-label={t.tree} className={columns.tree}>
        <div className={columns.bar}>
          <Steps view={view} only={t.only} />
        </div>
        <Beside operations={marked.beside} />
        {rows.length > 0 && (
          <MarkedGrid
            label={treeTexts.estimation.tree}
            rows={rows}
            marks={marked.marks}
            before={before}
            after={after}
            names={names}
            more={more}
            line={line}
            setLine={setLine}
            setOpen={setOpen}
            viewed={null}
            talks={null}
            detail={isNarrow ? linePanel : null}
          />
        )}
        <PrintedChanges marked={marked} titleOf={titleOf} />
      </section>
      <aside className={page.aside} aria-label={treeTexts.estimation.p80}>
        <p className={`${page.p80} ${styles.p80}`}>
          <strong>{formatHours(fall.after.p80)}</strong> h <Delta hours={fall.after.p80 - fall.before.p80} />
          <span className="muted">{treeTexts.estimation.p80}</span>
        </p>
        <WaterfallChart waterfall={fall} />
        {!isNarrow && linePanel}
      </aside>
    </div>
  );
}

const hoursOf = (content: Content) => countedHours(content.tree, rollUp(content.tree, content).byNode);

/** Returns a tree with what only other contents have, their lines matched with its lines, and their columns of hours. */
function useOthers(base: Tree, { from, to }: Compared, others: readonly Other[]) {
  const same = useSame(others);
  return useMemo(() => {
    const contents = same.map(({ content }) => content);
    const { tree, trees } = matchOthers(base, { from, to }, contents);
    const columns = same.map(
      ({ id, name, content }, at): HoursColumn => ({
        id,
        name,
        hours: hoursOf({ ...content, tree: trees[at] ?? content.tree }),
      }),
    );
    return { tree, columns };
  }, [base, from, to, same]);
}

/** Returns the list of before where it still says the same. */
function useSame(list: readonly Other[]): readonly Other[] {
  const known = useRef(list);
  const isSame =
    list.length === known.current.length &&
    list.every(({ name, content }, at) => name === known.current[at]?.name && content === known.current[at]?.content);
  if (!isSame) known.current = list;
  return known.current;
}
