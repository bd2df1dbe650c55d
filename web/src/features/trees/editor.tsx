import { useQueryClient } from "@tanstack/react-query";
import { lazy, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { rollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { p80IfEach } from "../../../../domain/tree/hours/what-if.ts";
import { idsOf } from "../../../../domain/tree/shape.ts";
import { FloatingNotice } from "../../ui/floating-notice.tsx";
import { NoticeButton } from "../../ui/notice.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { Part } from "../../ui/part.tsx";
import { useSingleKeys } from "../../ui/single-keys.ts";
import { tellHeight } from "../../ui/tell-height.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../estimations/rights.ts";
import { later } from "../live/later.ts";
import { NO_LINES } from "../live/live-lines.ts";
import { useCommands } from "../palette/commands.ts";
import { EMPTY_MARGIN, useMargin } from "../reviews/talk/use-margin.ts";
import { stateTexts } from "../states/texts.ts";
import columns from "./columns.module.css";
import { actionsOf } from "./commands/actions.ts";
import { useEditorKeys } from "./commands/use-editor-keys.ts";
import type { Overlay } from "./dialogs/overlays.tsx";
import { matchesOf } from "./find/filter.ts";
import { aboveOf, useLinkedPlace } from "./find/use-linked-place.ts";
import { EditorHead } from "./head/editor-head.tsx";
import { EditorToolbar } from "./head/toolbar.tsx";
import { ViewBar } from "./head/view-bar.tsx";
import { OutlineGrid } from "./outline/outline-grid.tsx";
import { pickedRows } from "./outline/picked.ts";
import { ROW_HEIGHT } from "./outline/row-height.ts";
import { highestOf, type Row, rowsOf } from "./outline/rows.ts";
import { useNewLine } from "./outline/use-new-line.ts";
import { useHeldKeys, useTyping } from "./outline/use-typing.ts";
import { type Panel, SidePanel } from "./panels/side-panel.tsx";
import type { TreeSync } from "./sync/tree-sync.ts";
import { treeTexts } from "./texts.ts";
import styles from "./tree-page.module.css";
import { useStable } from "./use-stable.ts";

const Overlays = lazy(async () => ({ default: (await import("./dialogs/overlays.tsx")).Overlays }));
const LiveTree = later(async () => (await import("../live/live-tree.tsx")).LiveTree);
const PasteDialog = lazy(async () => ({ default: (await import("./dialogs/paste-dialog.tsx")).PasteDialog }));
const EmptyTree = lazy(async () => ({ default: (await import("./outline/empty-tree.tsx")).EmptyTree }));
const MapView = lazy(async () => ({ default: (await import("./map/map-view.tsx")).MapView }));

const t = treeTexts.editor;

const LOOK_MS = 10_000;
/** Where changes are heard of, only each so-manieth time: one may have been missed. */
const SELDOM = 6;

const NONE: readonly Row[] = [];

/** Says why the tree cannot be changed. */
function lockedText(estimation: Estimation, isUnseen: boolean): string {
  if (isUnseen) return t.unseen;
  if (estimation.status === "draft") return t.readOnly;
  return mayEdit(estimation) ? stateTexts.locked[estimation.status] : stateTexts.lockedForReaders;
}

/** Where the focus is: a cell of the grid, and whether it is being typed into. */
export interface Focus {
  readonly rowId: string;
  /** 0 the title, 1 to 3 the three points. */
  readonly column: number;
  /** What the input begins with; null where nothing is typed. */
  readonly typed: string | null;
  /** The line where selecting several began. */
  readonly anchor?: string | undefined;
}

export type SetFocus = (focus: Focus) => void;

/** What is moved to another place, and by what. */
export interface Moving {
  readonly id: string;
  readonly isPointer: boolean;
}

interface EditorProps {
  readonly estimation: Estimation;
  readonly sync: TreeSync;
}

/** The tree of an estimation, to read, and to edit where that is allowed. */
export function Editor(given: EditorProps) {
  const { sync } = given;
  const queries = useQueryClient();
  useEffect(
    () => sync.watch((changed) => queries.setQueryData(estimationQuery(changed.id).queryKey, changed)),
    [sync, queries],
  );
  useEffect(() => keepLooking(sync), [sync]);
  useEffect(() => sync.follow(given.estimation), [sync, given.estimation]);
  const state = useSyncExternalStore(sync.subscribe, sync.current);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focus, setFocused] = useState<Focus | null>(null);
  const setFocus = useCallback(
    (next: Focus) =>
      setFocused((now) => {
        return now && isSameFocus(now, next) ? now : next;
      }),
    [],
  );
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [panel, setPanel] = useState<Panel>("figures");
  const [view, setView] = useState<"outline" | "map">("outline");
  const [query, setQuery] = useState("");
  const [moving, setMoving] = useState<Moving | null>(null);
  const singleKeys = useSingleKeys();
  const filter = useRef<HTMLInputElement>(null);
  const canEdit = state.estimation.status === "draft" && mayEdit(state.estimation);
  // Edits that wait are not part of what somebody else has submitted.
  const { tree, own } = canEdit ? state : state.stored;
  const estimation = useMemo(() => ({ ...state.estimation, ...own }), [state.estimation, own]);
  const searched = useDeferredValue(query);
  const matches = useMemo(() => matchesOf(tree, searched), [tree, searched]);
  const editable = canEdit ? sync : null;
  const { code, held } = useTyping({ sync: editable, focus });
  const newLine = useNewLine({
    sync: editable,
    tree,
    code,
    held,
    setFocus,
    setClosed,
    isTyped: view === "outline",
  });
  const { line, tree: shown } = newLine;
  const rows = useMemo(
    () => rowsOf(shown, closed, matches && line ? new Set([...matches, line.id, line.parentId ?? ""]) : matches),
    [shown, closed, matches, line],
  );
  const { correlation, hourlyRate, currency } = own;
  // Not with each save, which only changes other fields.
  const hours = useMemo(
    () => rollUp(tree, { correlation, hourlyRate, currency }),
    [tree, correlation, hourlyRate, currency],
  );
  // The total changes with the edit itself, what each other choice would make of it right after.
  const settled = useDeferredValue(tree);
  const correlated = useDeferredValue(correlation);
  const ghosts = useMemo(() => p80IfEach(settled, { correlation: correlated }), [settled, correlated]);
  const scale = useMemo(() => highestOf(tree), [tree]);
  useLinkedPlace(tree, setClosed, setFocus);
  // Deleted or submitted meanwhile, or where nothing can be moved: the keys are the page's again.
  const isMovable = canEdit && view === "outline" && matches === null;
  const canMove = moving !== null && isMovable && rows.some(({ id }) => id === moving.id);
  useEffect(() => {
    if (moving !== null && !canMove) setMoving(null);
  }, [moving, canMove]);
  const row = rows.find(({ id }) => id === focus?.rowId);
  useHeldKeys({ code, held, sync: editable, focus, row, setFocus });
  const anchor = focus?.anchor;
  const picked = useMemo(() => pickedRows(rows, anchor, row), [rows, anchor, row]);
  const margin = useMargin(state.estimation);
  const showTalk = useStable((id: string) => {
    goTo(id);
    setPanel("details");
  });
  const [lines, setLines] = useState(NO_LINES);
  const [pasted, setPasted] = useState<string | null>(null);
  const goTo = useStable((id: string) => {
    const above = aboveOf(tree, id) ?? [];
    setClosed((before) => new Set([...before].filter((other) => !above.includes(other))));
    if (matches && !matches.has(id)) setQuery("");
    setFocus({ rowId: id, column: 0, typed: null });
  });
  const { saving } = state;
  const refusal = saving.at === "refused" ? saving : null;
  const refusedAt = refusal?.lineId ?? null;
  const notice = refusal?.reason ?? state.notice;
  const isTyping = focus !== null && focus.typed !== null;
  useEffect(() => {
    if (refusedAt !== null && !isTyping) goTo(refusedAt);
  }, [refusedAt, isTyping, goTo]);
  const actions = actionsOf({
    sync: editable,
    state,
    rows,
    row,
    picked,
    begin: newLine.begin,
    setFocus,
    isFiltered: matches !== null,
    onMove: (id) => setMoving({ id, isPointer: false }),
    show: {
      details: () => {
        setPanel("details");
        focusSoon("#side-panel :is(input, textarea)");
      },
      suggestion: () => setPanel("suggestion"),
      settings: () => setOverlay("settings"),
      insert: () => setOverlay("insert"),
      template: () => setOverlay("template"),
      together: () => setOverlay("together"),
      filter: () => filter.current?.focus(),
      view: () => setView(view === "map" ? "outline" : "map"),
    },
    fold: {
      openAll: () => setClosed(new Set()),
      closeAll: () => {
        const { nodes, options } = idsOf(tree.nodes);
        setClosed(new Set([...nodes, ...options]));
      },
    },
  });
  useEditorKeys(actions, moving !== null);
  useCommands(async () => {
    const { editorCommands } = await import("./commands/commands.ts");
    return editorCommands({
      estimationId: estimation.id,
      tree,
      actions,
      onGoTo: goTo,
      row,
      picked,
      sync: editable,
    });
  });
  const openSettings = useStable(() => actions.settings?.run());
  const openAssumptions = useCallback(() => setOverlay("assumptions"), []);
  const openDiscard = useCallback(() => setOverlay("discard"), []);
  const openExplanation = useCallback(() => setOverlay("explanation"), []);
  const openTogether = useCallback(() => setOverlay("together"), []);
  // The head and the estimate are painted first; the lines take longest.
  const showsLines = useDeferredValue(true, false);
  const shared = { rows, focus, setFocus, setClosed, actions, sync: editable };
  return (
    <>
      <EditorHead
        estimation={estimation}
        tree={tree}
        sync={sync}
        canEdit={canEdit}
        onSettings={openSettings}
        onAssumptions={openAssumptions}
        onDiscard={openDiscard}
      />
      {notice && (
        <FloatingNotice
          key={notice}
          kind={refusal ? "bad" : "info"}
          action={refusedAt && <NoticeButton onClick={() => goTo(refusedAt)}>{t.showLine}</NoticeButton>}
        >
          {notice}
        </FloatingNotice>
      )}
      <div className={`${columns.columns} ${styles.columns}`}>
        <section aria-label={treeTexts.estimation.tree} className={columns.tree} ref={held.watch}>
          <div className={columns.bar} ref={tellHeight}>
            <span className={styles.total} aria-hidden="true">
              <strong>{formatHours(hours.p80)}</strong> h
            </span>
            <ViewBar view={view} setView={setView} query={query} setQuery={setQuery} filter={filter} />
            {canEdit ? (
              <EditorToolbar actions={actions} row={row} picked={picked.length} sync={sync} />
            ) : (
              <span role="status" className={styles.locked}>
                {lockedText(estimation, state.isUnseen)}
              </span>
            )}
          </div>
          {rows.length === 0 && (matches || !canEdit) ? (
            <p className={styles.empty}>{matches ? t.noMatch : treeTexts.estimation.emptyTree}</p>
          ) : rows.length === 0 ? (
            <Part>
              <EmptyTree begin={newLine.begin} hasSingleKeys={singleKeys} onPaste={setPasted} />
            </Part>
          ) : view === "map" ? (
            <Part fallback={<div className={styles.mapSpace} />}>
              <MapView {...shared} byNode={hours.byNode} />
            </Part>
          ) : !showsLines ? (
            <div style={{ height: (rows.length + 1) * ROW_HEIGHT }} />
          ) : (
            <OutlineGrid
              {...shared}
              row={row}
              picked={picked}
              onPaste={setPasted}
              newLine={newLine}
              code={code}
              byNode={hours.byNode}
              scale={scale}
              ghosts={ghosts}
              talks={margin.open}
              onTalk={showTalk}
              moving={matches ? null : moving}
              setMoving={matches ? null : setMoving}
              hasSingleKeys={singleKeys}
              refused={state.refused}
              lines={lines}
            />
          )}
        </section>
        <SidePanel
          hours={hours}
          panel={panel}
          setPanel={setPanel}
          // Nothing else of it depends on the line.
          row={panel === "details" && row?.id !== line?.id ? row : undefined}
          picked={panel === "details" && picked.length > 1 ? picked : NONE}
          tree={tree}
          own={own}
          estimation={state.estimation}
          margin={panel === "details" ? margin : EMPTY_MARGIN}
          sync={sync}
          canEdit={canEdit}
          onGoTo={goTo}
          onExplain={openExplanation}
          onTogether={openTogether}
        />
      </div>
      <Part>
        <LiveTree sync={sync} lineId={line ? line.from : (focus?.rowId ?? null)} onLines={setLines} />
      </Part>
      {pasted !== null && (
        <Part>
          <PasteDialog
            text={pasted}
            row={row}
            sync={sync}
            onClose={() => setPasted(null)}
            onAdded={(id) => setFocus({ rowId: id, column: 0, typed: null })}
          />
        </Part>
      )}
      {(overlay !== null || saving.at === "conflicted") && (
        <Part>
          <Overlays
            overlay={overlay}
            setOverlay={setOverlay}
            state={state}
            hours={hours}
            sync={sync}
            actions={actions}
            row={row}
            picked={picked}
            canEdit={canEdit}
            onGoTo={goTo}
          />
        </Part>
      )}
    </>
  );
}

/** Looks for changes of others, and sends what waits, as long as the page shows it. */
function keepLooking(sync: TreeSync): () => void {
  let times = 0;
  const timer = setInterval(() => {
    times += 1;
    if (!sync.isFollowed || times % SELDOM === 0) void sync.look();
  }, LOOK_MS);
  const wake = () => sync.wake();
  addEventListener("online", wake);
  addEventListener("focus", wake);
  return () => {
    clearInterval(timer);
    removeEventListener("online", wake);
    removeEventListener("focus", wake);
  };
}

const isSameFocus = (one: Focus, other: Focus): boolean =>
  one.rowId === other.rowId && one.column === other.column && one.typed === other.typed && one.anchor === other.anchor;

/**
 * Puts the focus on something that is loaded first, however long that takes, unless the reader does something else meanwhile:
 * what they type there must not end up in it.
 */
function focusSoon(selector: string): void {
  const from = document.activeElement;
  const look = () => {
    const { activeElement } = document;
    const element = document.querySelector<HTMLElement>(selector);
    if (!element) return;
    end();
    if (activeElement === from || !activeElement?.matches(selector)) element.focus();
  };
  const watch = new MutationObserver(look);
  const end = () => watch.disconnect();
  watch.observe(document.body, { childList: true, subtree: true });
  for (const name of ["keydown", "pointerdown"]) addEventListener(name, end, { capture: true, once: true });
  requestAnimationFrame(look);
}
