import { type Dispatch, type SetStateAction, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Estimation } from "../../../../contract/estimations.ts";
import { rollUp } from "../../../../domain/tree/roll-up.ts";
import { whatIfEach } from "../../../../domain/tree/what-if.ts";
import { texts } from "../../texts.ts";
import { Notice } from "../../ui/notice.tsx";
import { Conflicts } from "./conflicts.tsx";
import type { LoadedTree } from "./drafts.ts";
import { EstimatePanel } from "./estimate-panel.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { OutlineGrid } from "./outline-grid.tsx";
import { rowsOf } from "./rows.ts";
import { SavingMark } from "./saving-mark.tsx";
import { Toolbar } from "./toolbar.tsx";
import { TreeHead } from "./tree-head.tsx";
import styles from "./tree-page.module.css";
import { TreeSync } from "./tree-sync.ts";

const t = texts.editor;

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
export function Editor({ estimation, loaded }: EditorProps) {
  const [sync] = useState(() => new TreeSync(estimation, loaded));
  useEffect(() => sync.start(), [sync]);
  const state = useSyncExternalStore(sync.subscribe, sync.current);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [given, setFocus] = useState<Focus | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const { tree, renamed } = state;
  // A new thing that has focus keeps it when it gets its lasting id.
  const focus = given && { ...given, rowId: renamed.get(given.rowId) ?? given.rowId };
  const rows = useMemo(() => rowsOf(tree, closed), [tree, closed]);
  const hours = useMemo(() => rollUp(tree, estimation), [tree, estimation]);
  const ghosts = useMemo(
    () => new Map(whatIfEach(tree, estimation).map(({ optionId, p80 }) => [optionId, p80])),
    [tree, estimation],
  );
  const canEdit = estimation.status === "draft" && (estimation.access === "owner" || estimation.access === "editor");
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
      <TreeHead estimation={estimation}>
        {canEdit && <SavingMark saving={state.saving} onRetry={() => sync.retry()} />}
      </TreeHead>
      {!canEdit && <Notice kind="info">{estimation.status === "draft" ? t.readOnly : t.locked}</Notice>}
      {state.notice && <Notice kind={state.saving === "refused" ? "bad" : "info"}>{state.notice}</Notice>}
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
