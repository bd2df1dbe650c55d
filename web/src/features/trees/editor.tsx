import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Estimation } from "../../../../contract/estimations.ts";
import { rollUp } from "../../../../domain/tree/roll-up.ts";
import { whatIfEach } from "../../../../domain/tree/what-if.ts";
import { texts } from "../../texts.ts";
import { Notice } from "../../ui/notice.tsx";
import { estimationQuery } from "../estimations/queries.ts";
import { EstimationHead, mayEdit } from "../states/estimation-head.tsx";
import { Conflicts } from "./conflicts.tsx";
import type { LoadedTree } from "./drafts.ts";
import { EstimatePanel } from "./estimate-panel.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { OutlineGrid } from "./outline-grid.tsx";
import { rowsOf } from "./rows.ts";
import { SavingMark } from "./saving-mark.tsx";
import { Toolbar } from "./toolbar.tsx";
import styles from "./tree-page.module.css";
import { TreeSync } from "./tree-sync.ts";
import { useLinkedPlace } from "./use-linked-place.ts";

const t = texts.editor;

/** Says why the tree cannot be changed. */
function lockedText(estimation: Estimation): string {
  if (estimation.status === "draft") return t.readOnly;
  return mayEdit(estimation) ? texts.states.locked[estimation.status] : texts.states.lockedForReaders;
}

/** Where the focus is: a cell of the grid, and whether it is being typed into. */
export interface Focus {
  readonly rowId: string;
  /** 0 the title, 1 to 3 the three points. */
  readonly column: number;
  /** What the input begins with; null where nothing is typed. */
  readonly typed: string | null;
}

export type SetFocus = Dispatch<SetStateAction<Focus | null>>;

interface EditorProps {
  readonly estimation: Estimation;
  readonly loaded: LoadedTree;
}

/** The tree of an estimation, to read, and to edit where that is allowed. */
export function Editor(given: EditorProps) {
  const [sync] = useState(() => new TreeSync(given.estimation, given.loaded));
  const queries = useQueryClient();
  useEffect(
    () => sync.start((changed) => queries.setQueryData(estimationQuery(changed.id).queryKey, changed)),
    [sync, queries],
  );
  useEffect(() => sync.follow(given.estimation), [sync, given.estimation]);
  const state = useSyncExternalStore(sync.subscribe, sync.current);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocus] = useState<Focus | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const { tree, own, renamed } = state;
  const estimation = useMemo(() => ({ ...state.estimation, ...own }), [state.estimation, own]);
  // A new thing that has focus keeps it when it gets its lasting id.
  const focus = focused && { ...focused, rowId: renamed.get(focused.rowId) ?? focused.rowId };
  const rows = useMemo(() => rowsOf(tree, closed), [tree, closed]);
  const hours = useMemo(() => rollUp(tree, estimation), [tree, estimation]);
  const ghosts = useMemo(
    () => new Map(whatIfEach(tree, estimation).map(({ optionId, p80 }) => [optionId, p80])),
    [tree, estimation],
  );
  const canEdit = estimation.status === "draft" && mayEdit(estimation);
  useLinkedPlace(tree, setClosed, setFocus);
  const row = rows.find(({ id }) => id === focus?.rowId);
  useEffect(() => {
    if (!canEdit) return;
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement && event.target.type === "text";
      if (isTyping || !(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      const isRedo = key === "y" || (key === "z" && event.shiftKey);
      if (!isRedo && key !== "z") return;
      event.preventDefault();
      if (isRedo) sync.redo();
      else sync.undo();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [canEdit, sync]);
  return (
    <>
      <EstimationHead
        estimation={estimation}
        tree={tree}
        revision={() => sync.savedRevision()}
        catchUp={() => sync.look()}
      >
        {canEdit && <SavingMark saving={state.saving} onRetry={() => sync.retry()} />}
      </EstimationHead>
      <div className={styles.notices}>
        {!canEdit && <Notice kind="info">{lockedText(estimation)}</Notice>}
        {state.notice && <Notice kind={state.saving === "refused" ? "bad" : "info"}>{state.notice}</Notice>}
      </div>
      {state.conflicts.length > 0 && (
        <Conflicts conflicts={state.conflicts} onResolve={(resolutions) => sync.resolve(resolutions)} />
      )}
      <div className={styles.columns}>
        <section aria-label={texts.estimation.tree} className={styles.tree}>
          {canEdit && (
            <Toolbar sync={sync} state={state} row={row} setFocus={setFocus} onKeys={() => setShowsKeys(true)} />
          )}
          {rows.length === 0 ? (
            <p className={styles.empty}>{canEdit ? t.empty : texts.estimation.emptyTree}</p>
          ) : (
            <OutlineGrid
              rows={rows}
              byNode={hours.byNode}
              ghosts={ghosts}
              formerIds={state.formerIds}
              focus={focus}
              setFocus={setFocus}
              setClosed={setClosed}
              sync={canEdit ? sync : null}
              onKeys={() => setShowsKeys(true)}
            />
          )}
        </section>
        <EstimatePanel hours={hours} />
      </div>
      {showsKeys && <KeySheet onClose={() => setShowsKeys(false)} />}
    </>
  );
}
