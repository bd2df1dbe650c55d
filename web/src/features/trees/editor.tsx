import { useQueryClient } from "@tanstack/react-query";
import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { rollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { p80IfEach } from "../../../../domain/tree/hours/what-if.ts";
import { idsOf } from "../../../../domain/tree/shape.ts";
import { FloatingNotice } from "../../ui/floating-notice.tsx";
import { NoticeButton } from "../../ui/notice.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { mayEdit } from "../states/estimation-head.tsx";
import { stateTexts } from "../states/texts.ts";
import { actionsOf } from "./actions.ts";
import { EditorHead } from "./editor-head.tsx";
import { matchesOf } from "./filter.ts";
import { OutlineGrid } from "./grid/outline-grid.tsx";
import { addPasted, pastedCount } from "./grid/pasted-rows.ts";
import { pickedRows } from "./grid/picked.ts";
import { ROW_HEIGHT } from "./grid/row-height.ts";
import { type Row, rowsOf } from "./grid/rows.ts";
import type { Overlay } from "./overlays.tsx";
import { type Panel, SidePanel } from "./panel/side-panel.tsx";
import type { TreeSync } from "./saving/tree-sync.ts";
import { hasSingleKeys, keepSingleKeys } from "./single-keys.ts";
import { treeTexts } from "./texts.ts";
import { Toolbar } from "./toolbar.tsx";
import styles from "./tree-page.module.css";
import { useEditorKeys } from "./use-editor-keys.ts";
import { aboveOf, useLinkedPlace } from "./use-linked-place.ts";
import { useStable } from "./use-stable.ts";
import { ViewBar } from "./view-bar.tsx";

const Overlays = lazy(async () => ({ default: (await import("./overlays.tsx")).Overlays }));
const PasteDialog = lazy(async () => ({ default: (await import("./grid/paste-dialog.tsx")).PasteDialog }));
const MapView = lazy(async () => ({ default: (await import("./map/map-view.tsx")).MapView }));

const t = treeTexts.editor;

const LOOK_MS = 10_000;

const NONE: readonly Row[] = [];

/** Says why the tree cannot be changed. */
function lockedText(estimation: Estimation): string {
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
  /** In a line that was just added: the line that had the focus before, null for none. */
  readonly from?: string | null | undefined;
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
        const then = now?.rowId === next.rowId ? { from: now.from, ...next } : next;
        return now && isSameFocus(now, then) ? now : then;
      }),
    [],
  );
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [panel, setPanel] = useState<Panel>("figures");
  const [view, setView] = useState<"outline" | "map">("outline");
  const [query, setQuery] = useState("");
  const [moving, setMoving] = useState<Moving | null>(null);
  const [singleKeys, setSingleKeys] = useState(hasSingleKeys);
  const filter = useRef<HTMLInputElement>(null);
  const canEdit = state.estimation.status === "draft" && mayEdit(state.estimation);
  // Edits that wait are not part of what somebody else has submitted.
  const { tree, own } = canEdit ? state : state.stored;
  const estimation = useMemo(() => ({ ...state.estimation, ...own }), [state.estimation, own]);
  const searched = useDeferredValue(query);
  const matches = useMemo(() => matchesOf(tree, searched), [tree, searched]);
  const rows = useMemo(() => rowsOf(tree, closed, matches), [tree, closed, matches]);
  const hours = useMemo(() => rollUp(tree, estimation), [tree, estimation]);
  // The total changes with the edit itself, what each other choice would make of it right after.
  const settled = useDeferredValue(tree);
  const { correlation } = useDeferredValue(own);
  const ghosts = useMemo(() => p80IfEach(settled, { correlation }), [settled, correlation]);
  useLinkedPlace(tree, setClosed, setFocus);
  // Deleted or submitted meanwhile, or where nothing can be moved: the keys are the page's again.
  const isMovable = canEdit && view === "outline" && matches === null;
  const canMove = moving !== null && isMovable && rows.some(({ id }) => id === moving.id);
  useEffect(() => {
    if (moving !== null && !canMove) setMoving(null);
  }, [moving, canMove]);
  const row = rows.find(({ id }) => id === focus?.rowId);
  const anchor = focus?.anchor;
  const picked = useMemo(() => pickedRows(rows, anchor, row), [rows, anchor, row]);
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
    sync: canEdit ? sync : null,
    state,
    rows,
    row,
    picked,
    from: focus?.from,
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
      keys: () => setOverlay("keys"),
      palette: () => setOverlay("palette"),
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
  useEditorKeys(actions, singleKeys, moving !== null);
  const openSettings = useStable(() => actions.settings?.run());
  const openDiscard = useCallback(() => setOverlay("discard"), []);
  const openExplanation = useCallback(() => setOverlay("explanation"), []);
  // The head and the estimate are painted first; the lines take longest.
  const showsLines = useDeferredValue(true, false);
  const shared = { rows, focus, setFocus, setClosed, actions, sync: canEdit ? sync : null };
  return (
    <>
      <EditorHead
        estimation={estimation}
        tree={tree}
        sync={sync}
        canEdit={canEdit}
        onSettings={openSettings}
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
      <div className={styles.columns}>
        <section aria-label={treeTexts.estimation.tree} className={styles.tree}>
          <div className={styles.bar} ref={tellHeight}>
            <span className={styles.total} aria-hidden="true">
              <strong>{formatHours(hours.p80)}</strong> h
            </span>
            <ViewBar
              view={view}
              setView={setView}
              query={query}
              setQuery={setQuery}
              filter={filter}
              actions={actions}
            />
            {canEdit ? (
              <Toolbar actions={actions} row={row} picked={picked.length} sync={sync} />
            ) : (
              <span role="status" className={styles.locked}>
                {lockedText(estimation)}
              </span>
            )}
          </div>
          {rows.length === 0 ? (
            <p className={styles.empty}>{matches ? t.noMatch : canEdit ? t.empty : treeTexts.estimation.emptyTree}</p>
          ) : view === "map" ? (
            <Suspense fallback={<div className={styles.mapSpace} />}>
              <MapView {...shared} byNode={hours.byNode} />
            </Suspense>
          ) : !showsLines ? (
            <div style={{ height: (rows.length + 1) * ROW_HEIGHT }} />
          ) : (
            <OutlineGrid
              {...shared}
              row={row}
              picked={picked}
              onPaste={setPasted}
              byNode={hours.byNode}
              ghosts={ghosts}
              moving={matches ? null : moving}
              setMoving={matches ? null : setMoving}
              hasSingleKeys={singleKeys}
              refused={state.refused}
            />
          )}
        </section>
        <SidePanel
          hours={hours}
          panel={panel}
          setPanel={setPanel}
          // Nothing else of it depends on the line.
          row={panel === "details" ? row : undefined}
          picked={panel === "details" && picked.length > 1 ? picked : NONE}
          tree={tree}
          own={own}
          estimationId={estimation.id}
          sync={sync}
          canEdit={canEdit}
          onGoTo={goTo}
          onExplain={openExplanation}
        />
      </div>
      {pasted !== null && row && (
        <Suspense>
          <PasteDialog
            text={pasted}
            onClose={() => setPasted(null)}
            onAdd={async (lines) => {
              const ids = await sync.ids.takeAll("option", pastedCount(lines));
              setPasted(null);
              const fault = ids ? sync.edit(addPasted(row, lines, ids)) : t.noIds;
              if (fault) sync.say(fault);
              else setFocus({ rowId: ids?.[0] ?? row.id, column: 0, typed: null });
            }}
          />
        </Suspense>
      )}
      {(overlay !== null || saving.at === "conflicted") && (
        <Suspense>
          <Overlays
            overlay={overlay}
            setOverlay={setOverlay}
            state={state}
            hours={hours}
            sync={sync}
            actions={actions}
            row={row}
            canEdit={canEdit}
            onGoTo={goTo}
            singleKeys={singleKeys}
            setSingleKeys={(isOn) => {
              keepSingleKeys(isOn);
              setSingleKeys(isOn);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The column heads stay below the toolbar, whose height depends on the window. */
function tellHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const watch = new ResizeObserver(() => bar.parentElement?.style.setProperty("--bar-height", `${bar.offsetHeight}px`));
  watch.observe(bar);
  return () => watch.disconnect();
}

/** Looks for changes of others, and sends what waits, as long as the page shows it. */
function keepLooking(sync: TreeSync): () => void {
  const timer = setInterval(() => void sync.look(), LOOK_MS);
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
  one.rowId === other.rowId &&
  one.column === other.column &&
  one.typed === other.typed &&
  one.from === other.from &&
  one.anchor === other.anchor;

/**
 * Puts the focus on something that is loaded first. Gives up after a while, and once the reader is in something else that
 * matches: what they type there must not end up in the first.
 */
function focusSoon(selector: string, tries = 60, from = document.activeElement): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement !== from && activeElement?.matches(selector)) return;
    const element = document.querySelector<HTMLElement>(selector);
    if (element) element.focus();
    else if (tries > 0) focusSoon(selector, tries - 1, from);
  });
}
