import type { RollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { Confirm } from "../../ui/confirm.tsx";
import type { Actions } from "./actions.ts";
import { hoursItems, paletteItems } from "./commands.ts";
import type { EditorState } from "./editor-state.ts";
import type { Row } from "./grid/rows.ts";
import { KeySheet } from "./key-sheet.tsx";
import { Palette } from "./palette.tsx";
import { Explanation } from "./panel/explanation.tsx";
import { panelTexts } from "./panel/panel-texts.ts";
import { SettingsDialog } from "./panel/settings-dialog.tsx";
import { Conflicts } from "./saving/conflicts.tsx";
import type { TreeSync } from "./saving/tree-sync.ts";
import { treeTexts } from "./texts.ts";

export type Overlay = "keys" | "palette" | "settings" | "explanation" | "discard";

/** Edits are discarded in the browser alone. */
const NOTHING_SENT = { isPending: false, error: null };

interface OverlaysProps {
  readonly overlay: Overlay | null;
  readonly setOverlay: (overlay: Overlay | null) => void;
  readonly state: EditorState;
  readonly hours: RollUp;
  readonly sync: TreeSync;
  readonly actions: Actions;
  /** The line that has the focus. */
  readonly row: Row | undefined;
  readonly canEdit: boolean;
  readonly onGoTo: (id: string) => void;
  readonly singleKeys: boolean;
  readonly setSingleKeys: (isOn: boolean) => void;
}

/** What shows above the editor. */
export function Overlays({
  overlay,
  setOverlay,
  state,
  hours,
  sync,
  actions,
  row,
  canEdit,
  onGoTo,
  ...keys
}: OverlaysProps) {
  const close = () => setOverlay(null);
  const { tree, own, saving } = state;
  return (
    <>
      {saving.at === "conflicted" && (
        <Conflicts conflicts={saving.conflicts} onResolve={(choices) => sync.resolve(choices)} />
      )}
      {overlay === "keys" && <KeySheet onClose={close} {...keys} />}
      {overlay === "palette" && (
        <Palette
          placeholder={panelTexts.commands.placeholder}
          items={paletteItems(tree, actions, onGoTo)}
          offer={
            canEdit && row ? (typed) => hoursItems(typed, row, (change) => sync.say(sync.edit(change))) : undefined
          }
          onClose={close}
        />
      )}
      {overlay === "settings" && <SettingsDialog own={own} tree={tree} sync={sync} onClose={close} />}
      {overlay === "discard" && (
        <Confirm
          title={treeTexts.editor.discardTitle}
          text={treeTexts.editor.discardText}
          action={treeTexts.editor.discardAction}
          request={NOTHING_SENT}
          onConfirm={() => {
            close();
            sync.discard();
          }}
          onClose={close}
        />
      )}
      {overlay === "explanation" && (
        <Explanation hours={hours} correlation={own.correlation} onChange={actions.settings?.run} onClose={close} />
      )}
    </>
  );
}
