import type { ReactNode } from "react";
import { nodeKinds } from "../../../../../contract/values/node-kinds.ts";
import { updateNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { described } from "../../../ui/hinted.ts";
import {
  IconDown,
  IconInfo,
  IconMore,
  IconMove,
  IconPlus,
  IconRedo,
  IconTrash,
  IconUndo,
  IconUp,
} from "../../../ui/icons.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Select } from "../../../ui/select.tsx";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { Toolbar } from "../../../ui/toolbar.tsx";
import { showCommands } from "../../palette/commands.ts";
import type { Action, Actions } from "../commands/actions.ts";
import type { Row } from "../outline/rows.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import styles from "./toolbar.module.css";

const t = treeTexts.editor;

interface ToolbarProps {
  readonly actions: Actions;
  /** The line that has the focus. */
  readonly row: Row | undefined;
  /** How many lines are selected. */
  readonly picked: number;
  readonly sync: TreeSync;
}

/** What can be done, for the pointer; every action has its key, which its tooltip names. */
export const EditorToolbar = ({ actions, row, picked, sync }: ToolbarProps) => (
  <Toolbar label={t.tools} className={styles.toolbar}>
    <Add action={actions.addNode} label={t.addNode} keys={t.keys.addNode} />
    <Add action={actions.addOption} label={t.addOption} keys={t.keys.addOption} />
    <span className={styles.gap} />
    <Tool action={actions.undo} label={t.undo} keys={t.keys.undo} icon={<IconUndo />} />
    <Tool action={actions.redo} label={t.redo} keys={t.keys.redo} icon={<IconRedo />} />
    <span className={styles.gap} />
    <Tool action={actions.up} label={t.up} keys={t.keys.up} icon={<IconUp />} />
    <Tool action={actions.down} label={t.down} keys={t.keys.down} icon={<IconDown />} />
    <Tool action={actions.move} label={t.move} keys={t.keys.move} icon={<IconMove />} />
    <Tool action={actions.details} label={t.details} keys={t.keys.details} icon={<IconInfo />} />
    <Tool action={actions.remove} label={t.remove} keys={t.keys.remove} icon={<IconTrash />} />
    <Menu label={t.moreTools} button={<IconMore />}>
      {[actions.insert, actions.template, actions.together].map(
        (action) =>
          action && (
            <MenuItem key={action.label} onChoose={action.run}>
              {action.label}
            </MenuItem>
          ),
      )}
    </Menu>
    {picked > 1 && (
      <span role="status" className={styles.picked}>
        {t.picked(picked)}
      </span>
    )}
    {picked === 1 && row?.option === null && <NodeChoice row={row} sync={sync} />}
    <span className={styles.end} />
    <ToolButton label={t.keysTitle} keys={t.keys.keys} onPress={() => showCommands("keys")}>
      ?
    </ToolButton>
  </Toolbar>
);

interface ToolProps {
  readonly action: Action | null;
  readonly label: string;
  readonly keys: string;
}

const Add = ({ action, ...named }: ToolProps) => (
  <ToolButton {...named} isNamed look="boxed" disabled={action === null} onPress={() => action?.run()}>
    <IconPlus size={14} />
    {named.label}
  </ToolButton>
);

const Tool = ({ action, icon, ...named }: ToolProps & { readonly icon: ReactNode }) => (
  <ToolButton {...named} disabled={action === null} onPress={() => action?.run()}>
    {icon}
  </ToolButton>
);

/** How the question that has the focus is answered. */
function NodeChoice({ row: { node }, sync }: { readonly row: Row; readonly sync: TreeSync }) {
  const change = (changes: Parameters<typeof updateNode>[2]) => {
    const refused = sync.edit((tree) => updateNode(tree, node.id, changes));
    if (refused) sync.say(refused);
  };
  return (
    <Select
      aria-label={t.kind}
      {...described(treeTexts.estimation.kindHints[node.kind])}
      value={node.kind}
      onChange={(event) => change({ kind: nodeKinds.find((kind) => kind === event.currentTarget.value) ?? node.kind })}
    >
      {nodeKinds.map((kind) => (
        <option key={kind} value={kind}>
          {treeTexts.estimation.kinds[kind]}
        </option>
      ))}
    </Select>
  );
}
