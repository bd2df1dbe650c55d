import { Button } from "@mantine/core";
import { nodeKinds } from "../../../../contract/tree.ts";
import { updateNode } from "../../../../domain/tree/edit-nodes.ts";
import { texts } from "../../texts.ts";
import { IconDown, IconPlus, IconRedo, IconTrash, IconUndo, IconUp } from "../../ui/icons.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { SetFocus } from "./editor.tsx";
import { addNode, addOption, moveBy, remove } from "./edits.ts";
import type { Row } from "./rows.ts";
import styles from "./toolbar.module.css";
import type { EditorState, TreeSync } from "./tree-sync.ts";

const t = texts.editor;
const KINDS = nodeKinds;

interface ToolbarProps {
  readonly sync: TreeSync;
  readonly state: EditorState;
  /** The line that has the focus. */
  readonly row: Row | undefined;
  readonly setFocus: SetFocus;
  readonly onKeys: () => void;
}

/** What can be done, for the pointer; every action has its key, which its tooltip names. */
export function Toolbar({ sync, state, row, setFocus, onKeys }: ToolbarProps) {
  const begin = ({ id, edit }: ReturnType<typeof addNode>, title: string) => {
    if (sync.edit(edit) === null) setFocus({ rowId: id, column: 0, typed: title });
  };
  return (
    <div role="toolbar" aria-label={t.tools} className={styles.toolbar}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} />}
        title={t.keys.addNode}
        onClick={() => begin(addNode(row), t.newNode)}
      >
        {t.addNode}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} />}
        title={t.keys.addOption}
        disabled={row === undefined}
        onClick={() => row && begin(addOption(row), t.newOption)}
      >
        {t.addOption}
      </Button>
      <span className={styles.gap} />
      <ToolButton
        label={t.undo}
        keys={t.keys.undo}
        disabled={state.past.length === 0}
        onPress={() => sync.undo()}
        icon={<IconUndo />}
      />
      <ToolButton
        label={t.redo}
        keys={t.keys.redo}
        disabled={state.future.length === 0}
        onPress={() => sync.redo()}
        icon={<IconRedo />}
      />
      <span className={styles.gap} />
      <ToolButton
        label={t.up}
        keys={t.keys.up}
        disabled={row === undefined || row.index === 0}
        onPress={() => row && sync.edit(moveBy(row, -1))}
        icon={<IconUp />}
      />
      <ToolButton
        label={t.down}
        keys={t.keys.down}
        disabled={row === undefined || row.index === row.siblings - 1}
        onPress={() => row && sync.edit(moveBy(row, 1))}
        icon={<IconDown />}
      />
      <ToolButton
        label={t.remove}
        keys={t.keys.remove}
        disabled={row === undefined}
        onPress={() => row && sync.edit(remove(row))}
        icon={<IconTrash />}
      />
      {row?.option === null && <NodeChoice row={row} sync={sync} />}
      <span className={styles.end} />
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onKeys} title="?">
        {t.keysTitle}
      </Button>
    </div>
  );
}

/** How the question that has the focus is answered. */
function NodeChoice({ row: { node }, sync }: { readonly row: Row; readonly sync: TreeSync }) {
  const change = (changes: Parameters<typeof updateNode>[2]) => sync.edit((tree) => updateNode(tree, node.id, changes));
  return (
    <>
      <span className={styles.gap} />
      <select
        className={styles.select}
        aria-label={t.kind}
        value={node.kind}
        onChange={(event) => change({ kind: KINDS.find((kind) => kind === event.currentTarget.value) ?? node.kind })}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {texts.estimation.kinds[kind]}
          </option>
        ))}
      </select>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={node.required}
          onChange={(event) => change({ required: event.currentTarget.checked })}
        />
        {texts.estimation.required}
      </label>
    </>
  );
}
