import { lazy, useCallback, useDeferredValue, useMemo, useRef } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Comment, Review } from "../../../../contract/endpoints/reviews.ts";
import { mayComment } from "../../../../domain/reviews.ts";
import { rollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { idsOf, type Tree } from "../../../../domain/tree/shape.ts";
import { diff } from "../../../../domain/versions/diff.ts";
import type { Snapshot } from "../../../../domain/versions/shape.ts";
import { failureText } from "../../api/failure.ts";
import { hinted } from "../../ui/hinted.ts";
import { IconDown } from "../../ui/icons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Delta } from "../../ui/numbers/delta.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { Part } from "../../ui/part.tsx";
import { hasSingleKeys } from "../../ui/single-keys.ts";
import { tellHeight } from "../../ui/tell-height.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useCommands } from "../palette/commands.ts";
import columns from "../trees/columns.module.css";
import { usePageKeys } from "../trees/commands/use-page-keys.ts";
import { Beside } from "../trees/marked/beside.tsx";
import { MarkedGrid } from "../trees/marked/marked-grid.tsx";
import { countedHours } from "../trees/marked/marked-hours.ts";
import page from "../trees/marked/marked-page.module.css";
import { markTree, stopFrom, titlesOf, unmarked } from "../trees/marked/marked-tree.ts";
import { Steps } from "../trees/marked/steps.tsx";
import { markedTexts } from "../trees/marked/texts.ts";
import { useIsNarrow } from "../trees/marked/use-is-narrow.ts";
import { useLinkedLine } from "../trees/marked/use-linked-line.ts";
import { useMarked, useOnlyInAddress } from "../trees/marked/use-marked.ts";
import { optionsIn } from "../trees/marked/viewed-state.ts";
import type { Row } from "../trees/outline/rows.ts";
import { treeTexts } from "../trees/texts.ts";
import { useStable } from "../trees/use-stable.ts";
import { LinePanel } from "./line-panel.tsx";
import type { Reviewed } from "./queries.ts";
import styles from "./review-page.module.css";
import { Since } from "./since.tsx";
import { TalkPanel } from "./talk/talk-panel.tsx";
import { lineOf, openByLine, threadsOf } from "./talk/threads.ts";
import { reviewTexts } from "./texts.ts";
import { useKeptText } from "./use-kept-text.ts";
import { useViewed } from "./use-viewed.ts";
import { type About, VerdictBar } from "./verdict-bar.tsx";

const Figures = lazy(async () => ({ default: (await import("../trees/panels/figures.tsx")).Figures }));

const t = reviewTexts.review;

interface ViewProps {
  readonly review: Review;
  readonly viewed: readonly string[] | null;
  readonly estimation: Estimation;
  readonly userId: string;
  readonly shown: Reviewed;
  /** The id of what it is to be compared with, which may be loading; null for nothing. */
  readonly base: string | null;
  readonly comments: readonly Comment[];
}

/** The tree of the reviewed version with its marks, what was said, and the bar of the verdict. */
export function ReviewView(props: ViewProps) {
  const { review, estimation, userId, shown, comments } = props;
  const { version, former, failure } = shown;
  const { content } = version;
  const marked = useMemo(
    () =>
      former === null
        ? unmarked(content.tree as Tree)
        : markTree(
            former.content.tree as Tree,
            content.tree as Tree,
            diff(former.content as unknown as Snapshot, content as unknown as Snapshot),
          ),
    [former, content],
  );
  const { tree, marks, beside } = marked;
  const hours = useMemo(() => rollUp(content.tree as Tree, content), [content]);
  const before = useMemo(() => former && rollUp(former.content.tree as Tree, former.content), [former]);
  const after = useMemo(() => countedHours(content.tree as Tree, hours.byNode), [content, hours]);
  const was = useMemo(
    () => before && former && countedHours(former.content.tree as Tree, before.byNode),
    [before, former],
  );
  const titles = useMemo(() => titlesOf(tree), [tree]);
  const titleOf = useCallback((id: string) => titles.get(id), [titles]);
  const threads = useMemo(() => threadsOf(comments), [comments]);
  const talks = useMemo(() => openByLine(threads), [threads]);

  const view = useMarked(marked, useOnlyInAddress(former !== null));
  const { rows, row, line, setLine, setOpen, goTo, step } = view;
  useLinkedLine(line, (id) => {
    if (!id.startsWith("cmt_") || !goToComment(id)) goTo(id);
  });

  const { viewed, error } = useViewed(review, version.id, props.viewed);
  const all = useMemo(() => optionsIn(tree.nodes, marks), [tree, marks]);
  const seen = viewed ? all.filter((id) => viewed.ids.has(id)).length : 0;
  const isReviewer = review.reviewer.id === userId;
  const canWrite = review.status !== "withdrawn" && mayComment(estimation.access, isReviewer);
  const field = useRef<HTMLTextAreaElement>(null);
  const [aboutId, setAbout] = useKeptText(`review-about ${review.id}`);
  const options = useMemo(() => idsOf(tree.nodes).options, [tree]);
  // What was removed since another version than the judged one, no comment can be about.
  const isGone = (id: string) => marks.get(id)?.kinds.includes("removed") && former?.id !== review.baseVersion?.id;
  const mayBeAbout = (of: Row | undefined) => canWrite && !(of && isGone(of.id));
  const comment = useStable((of: Row | undefined = row) => {
    if (!mayBeAbout(of)) return;
    setAbout(of?.id ?? "");
    field.current?.focus();
  });
  const unseen = () =>
    step(
      1,
      all.filter((id) => !viewed?.ids.has(id)),
    );
  const showTalk = useStable((id: string) => {
    const thread = threads.find(({ first }) => lineOf(first) === id && !first.resolved);
    setLine({ id, isQuiet: true });
    if (thread) goToComment(thread.first.id);
    else comment(rows.find((each) => each.id === id));
  });
  const nextTalk = () => {
    const order = [...titles.keys()];
    const lines = order.filter((id) => talks.has(id));
    const next = stopFrom(lines, order, line?.id ?? null, 1);
    if (next === undefined) return;
    // What is above it opens first.
    goTo(next);
    showTalk(next);
  };
  usePageKeys({ n: () => step(1), p: () => step(-1), u: unseen, c: () => comment(), o: nextTalk });
  useCommands(async () => {
    const { paletteTexts } = await import("../palette/texts.ts");
    const { next, previous, unseen: unseenText, comment: commentText, talk } = t.commands;
    const of = (key: string, label: string, run: () => void) => ({
      ...{ id: `command review ${key}`, label, keys: key.toUpperCase(), detail: paletteTexts.command, run },
    });
    return {
      items: [
        of("n", next, () => step(1)),
        of("p", previous, () => step(-1)),
        of("u", unseenText, unseen),
        ...(mayBeAbout(row) ? [of("c", commentText, () => comment())] : []),
        ...(talks.size > 0 ? [of("o", talk, nextTalk)] : []),
      ],
      keys: t.keySheet,
    };
  });
  const drawn = useDeferredValue(hours);
  const isNarrow = useIsNarrow();
  const linePanel = (
    <LinePanel
      row={row}
      mark={row && marks.get(row.id)}
      titleOf={titleOf}
      hours={
        isNarrow && was && row
          ? [
              [markedTexts.columns.before, was.get(row.id) ?? 0],
              [markedTexts.columns.after, after.get(row.id) ?? 0],
            ]
          : []
      }
      onComment={row && mayBeAbout(row) ? () => comment(row) : null}
    />
  );
  return (
    <>
      <div className={`${columns.columns} ${page.columns}`}>
        <section aria-label={t.tree} className={columns.tree}>
          <div className={columns.bar} ref={tellHeight}>
            <Since review={review} base={props.base} former={former} isReviewer={isReviewer} />
            {former && <Steps view={view} only={t.only} />}
            {viewed && (
              <span className={styles.seen}>
                <progress max={Math.max(1, all.length)} value={seen} aria-hidden="true" />
                <span className="number" aria-live="polite">
                  {t.viewed(seen, all.length)}
                </span>
                <ToolButton label={t.notViewed} look="boxed" disabled={seen === all.length} onPress={unseen}>
                  <IconDown />
                </ToolButton>
              </span>
            )}
          </div>
          {failure && <Notice kind="bad">{failureText(failure)}</Notice>}
          {error && <Notice kind="bad">{failureText(error)}</Notice>}
          <Beside operations={beside} />
          {rows.length === 0 ? (
            <p className={styles.empty}>{view.isOnly ? t.noFilteredRows : t.emptyTree}</p>
          ) : (
            <MarkedGrid
              label={treeTexts.estimation.tree}
              rows={rows}
              marks={marks}
              before={was}
              after={after}
              line={line}
              setLine={setLine}
              setOpen={setOpen}
              viewed={viewed}
              talks={talks}
              onTalk={showTalk}
              detail={isNarrow ? linePanel : null}
            />
          )}
          {rows.length > 0 && hasSingleKeys() && <p className={styles.keys}>{t.keys}</p>}
        </section>
        <aside className={page.aside} aria-label={t.estimate}>
          <div>
            <p className={page.p80} {...hinted(treeTexts.estimation.p80Long)}>
              <strong>{formatHours(hours.p80)}</strong> h {before && <Delta hours={hours.p80 - before.p80} />}
            </p>
            <p className="muted">
              {treeTexts.estimation.p80}
              {before && Math.abs(hours.p80 - before.p80) >= 0.05 && `, ${t.wasHours(formatHours(before.p80))}`}
            </p>
            <details className={page.more}>
              <summary>{t.figures}</summary>
              <Part>
                <Figures hours={drawn} tree={content.tree as Tree} onGoTo={goTo} />
              </Part>
            </details>
          </div>
          {!isNarrow && linePanel}
          <TalkPanel
            threads={threads}
            estimationId={estimation.id}
            userId={userId}
            canWrite={canWrite}
            titleOf={titleOf}
            onNext={talks.size > 0 ? nextTalk : null}
          />
        </aside>
      </div>
      {canWrite && (
        <VerdictBar
          review={review}
          version={version}
          isReviewer={isReviewer}
          about={aboutOf(aboutId, options, (of) => (isGone(of) ? undefined : titleOf(of)))}
          onEverything={() => setAbout("")}
          field={field}
        />
      )}
    </>
  );
}

/** Puts the focus on a comment; returns whether it shows. */
function goToComment(id: string): boolean {
  const said = document.getElementById(id);
  said?.scrollIntoView({ block: "center" });
  said?.focus({ preventScroll: true });
  return said !== null;
}

/** Returns the line of this id as what a comment is about; null for no line. */
function aboutOf(id: string, options: ReadonlySet<string>, titleOf: (id: string) => string | undefined): About | null {
  if (id === "") return null;
  const title = titleOf(id) ?? null;
  return options.has(id) || id.startsWith("opt_")
    ? { nodeId: null, optionId: id, title }
    : { nodeId: id, optionId: null, title };
}
