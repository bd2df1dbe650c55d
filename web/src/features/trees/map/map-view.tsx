import {
  type Edge,
  type Node as FlowNode,
  Handle,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { type Dispatch, type KeyboardEvent, memo, type SetStateAction, useEffect, useMemo, useRef } from "react";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { Toolbar } from "../../../ui/toolbar.tsx";
import { panelTexts } from "../panels/panel-texts.ts";
import "@xyflow/react/dist/base.css";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { IconChevron } from "../../../ui/icons.tsx";
import { formatHours } from "../../../ui/numbers/format.ts";
import type { Actions } from "../commands/actions.ts";
import type { Focus, SetFocus } from "../editor.tsx";
import { optionMark } from "../option-mark.ts";
import { expectedOf, type Row } from "../outline/rows.ts";
import { toggle } from "../sync/edits.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { CARD_HEIGHT, CARD_WIDTH, type Card, cardsOf } from "./map-layout.ts";
import styles from "./map-view.module.css";

const t = panelTexts.map;
/** Up to this many cards, all are shown at first; with more, the beginning at full size. */
const FITS = 60;

interface MapProps {
  readonly rows: readonly Row[];
  readonly byNode: RollUp["byNode"];
  readonly focus: Focus | null;
  readonly setFocus: SetFocus;
  readonly setClosed: Dispatch<SetStateAction<ReadonlySet<string>>>;
  readonly actions: Actions;
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
}

interface CardData extends Record<string, unknown> {
  readonly row: Row;
  /** Expected hours: of an option itself, of a question everything below it that counts. */
  readonly hours: number | null;
  readonly isFocused: boolean;
  readonly isTabStop: boolean;
  readonly onFocus: (id: string) => void;
  readonly onToggle: (row: Row) => void;
  readonly onFold: (row: Row) => void;
}

/** The same lines as in the outline, drawn as a map; what is selected in one is selected in the other. */
export const MapView = (props: MapProps) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
);

function Canvas({ rows, byNode, focus, setFocus, setClosed, actions, sync }: MapProps) {
  const flow = useReactFlow();
  const { width, height } = useStore((state) => ({ width: state.width, height: state.height }), isSameSize);
  const hoursOf = useMemo(() => {
    const expected = new Map(byNode.map((node) => [node.nodeId, node.expected]));
    return (row: Row) => (row.option ? expectedOf(row) : (expected.get(row.id) ?? null));
  }, [byNode]);
  const cards = useMemo(() => cardsOf(rows), [rows]);
  const latest = useRef({ setFocus, setClosed, sync });
  latest.current = { setFocus, setClosed, sync };
  const acts = useRef({
    onFocus: (id: string) => latest.current.setFocus({ rowId: id, column: 0, typed: null }),
    onToggle: (row: Row) => void latest.current.sync?.edit(toggle(row)),
    onFold: ({ id, isOpen }: Row) =>
      latest.current.setClosed((before) =>
        isOpen ? new Set([...before, id]) : new Set([...before].filter((other) => other !== id)),
      ),
  });
  const focusedId = focus?.rowId;
  const nodes = useMemo(
    () => cards.map((card, at) => nodeOf(card, hoursOf(card.row), at === 0, focusedId, acts.current)),
    [cards, hoursOf, focusedId],
  );
  const edges = useMemo(() => cards.flatMap(edgeOf), [cards]);
  const focused = cards.find(({ row }) => row.id === focusedId);
  useEffect(() => {
    if (!focused || width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const [left, top] = [focused.x * zoom + x, focused.y * zoom + y];
    const isSeen = left >= 0 && top >= 0 && left + CARD_WIDTH * zoom <= width && top + CARD_HEIGHT * zoom <= height;
    if (!isSeen) flow.setCenter(focused.x + CARD_WIDTH / 2, focused.y + CARD_HEIGHT / 2, { zoom });
  }, [focused, flow, width, height]);
  const press = (event: KeyboardEvent) => {
    // The buttons beside the cards have keys of their own.
    if (!(event.target as Element).closest(".react-flow")) return;
    const action = keyAction(event, rows, focused?.row, { ...acts.current, actions, canEdit: sync !== null });
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return (
    <div className={styles.map} onKeyDownCapture={press}>
      <ReactFlow
        aria-label={t.label}
        nodes={nodes}
        edges={edges}
        nodeTypes={KINDS}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        onlyRenderVisibleElements
        minZoom={0.1}
        maxZoom={1.5}
        zoomOnDoubleClick={false}
        fitView={cards.length <= FITS}
        fitViewOptions={{ maxZoom: 1, padding: 0.06 }}
        defaultViewport={{ x: 24, y: 24, zoom: 0.9 }}
        proOptions={{ hideAttribution: true }}
      />
      <Toolbar label={t.zoom} className={styles.controls}>
        <ToolButton label={t.larger} look="boxed" onPress={() => void flow.zoomIn()}>
          +
        </ToolButton>
        <ToolButton label={t.smaller} look="boxed" onPress={() => void flow.zoomOut()}>
          −
        </ToolButton>
        <ToolButton label={t.fit} isNamed look="boxed" onPress={() => void flow.fitView({ maxZoom: 1, padding: 0.06 })}>
          {t.fit}
        </ToolButton>
      </Toolbar>
      <p className={styles.hint}>{t.hint}</p>
    </div>
  );
}

const isSameSize = (one: { width: number; height: number }, other: { width: number; height: number }) =>
  one.width === other.width && one.height === other.height;

type CardNode = FlowNode<CardData>;

const nodeOf = (
  { row, x, y }: Card,
  hours: number | null,
  isFirst: boolean,
  focusedId: string | undefined,
  acts: Pick<CardData, "onFocus" | "onToggle" | "onFold">,
): CardNode => ({
  id: row.id,
  type: "card",
  position: { x, y },
  width: CARD_WIDTH,
  height: CARD_HEIGHT,
  data: { row, hours, isFocused: row.id === focusedId, isTabStop: isFirst && focusedId === undefined, ...acts },
});

const edgeOf = ({ row: { id, parentId, isActive } }: Card): Edge[] =>
  parentId === null
    ? []
    : [{ id, source: parentId, target: id, type: "default", className: isActive ? styles.line : styles.weak }];

const MapCard = memo(
  ({ data: { row, hours, isFocused, isTabStop, onFocus, onToggle, onFold } }: NodeProps<CardNode>) => {
    const { node, option, isActive, hasChildren, isOpen } = row;
    const button = useRef<HTMLButtonElement>(null);
    useEffect(() => {
      const map = button.current?.closest(`.${styles.map}`);
      // Only where the focus is on the map already, or nowhere.
      if (isFocused && (map?.contains(document.activeElement) || document.activeElement === document.body))
        button.current?.focus({ preventScroll: true });
    }, [isFocused]);
    return (
      <div
        className={`${styles.card} ${option ? "" : styles.question} ${isActive ? "" : styles.dormant} ${isFocused ? styles.current : ""}`}
      >
        <Handle type="target" position={Position.Left} className={styles.handle} />
        {option && node.kind !== "group" && (
          <span
            className={`${styles.mark} ${optionMark(node, option, isActive)}`}
            aria-hidden="true"
            onClick={() => onToggle(row)}
          />
        )}
        <button
          ref={button}
          type="button"
          className={styles.name}
          tabIndex={isFocused || isTabStop ? 0 : -1}
          aria-current={isFocused ? "true" : undefined}
          onFocus={() => onFocus(row.id)}
          onClick={() => onFocus(row.id)}
        >
          {option?.title ?? node.title}
          {option && <span className="unseen">{isActive ? panelTexts.map.counts : panelTexts.map.countsNot}</span>}
        </button>
        {hours !== null && (option || hours > 0) && <span className={styles.hours}>{formatHours(hours)}</span>}
        {hasChildren && (
          <span
            className={`${styles.fold} ${isOpen ? "" : styles.closed}`}
            aria-hidden="true"
            onClick={() => onFold(row)}
          >
            <IconChevron size={12} />
          </span>
        )}
        <Handle type="source" position={Position.Right} className={styles.handle} />
      </div>
    );
  },
);

const KINDS = { card: MapCard };

interface KeyContext extends Pick<CardData, "onFocus" | "onToggle" | "onFold"> {
  readonly actions: Actions;
  readonly canEdit: boolean;
}

/** Returns what a key does on the map; undefined for one that is not the map's. */
function keyAction(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent,
  rows: readonly Row[],
  row: Row | undefined,
  { actions, canEdit, onFocus, onToggle, onFold }: KeyContext,
): (() => void) | undefined {
  const go = (target: Row | undefined) => (target ? () => onFocus(target.id) : () => {});
  const command = ctrlKey || metaKey;
  if (!row) return key.startsWith("Arrow") ? go(rows[0]) : undefined;
  const at = rows.indexOf(row);
  const level = rows.filter(({ depth }) => depth === row.depth);
  const place = level.indexOf(row);
  if (command && key === "Enter") return (shiftKey ? actions.addNode : actions.addOption)?.run;
  if (command) return undefined;
  if (altKey) {
    const moves = { ArrowUp: actions.up, ArrowDown: actions.down, ArrowLeft: actions.out, ArrowRight: actions.in };
    return key === "Enter" ? actions.details?.run : moves[key as keyof typeof moves]?.run;
  }
  switch (key) {
    case "ArrowDown":
      return go(level[place + 1]);
    case "ArrowUp":
      return go(level[place - 1]);
    case "ArrowRight":
      if (row.hasChildren && !row.isOpen) return () => onFold(row);
      return go(row.hasChildren ? rows[at + 1] : undefined);
    case "ArrowLeft":
      return go(rows.find(({ id }) => id === row.parentId));
    case "Home":
      return go(rows[0]);
    case "End":
      return go(rows.at(-1));
    case " ":
      return canEdit ? () => onToggle(row) : undefined;
    case "Enter":
    case "F2":
      return actions.details?.run;
    case "Delete":
      return actions.remove?.run;
    default:
      return undefined;
  }
}
