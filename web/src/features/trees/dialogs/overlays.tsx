import { lazy } from "react";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import type { Actions } from "../commands/actions.ts";
import type { EditorState } from "../editor-state.ts";
import { optionsIn } from "../outline/picked.ts";
import type { Row } from "../outline/rows.ts";
import { Explanation } from "../panels/explanation.tsx";
import { panelTexts } from "../panels/panel-texts.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { AssumptionsDialog } from "./assumptions-dialog.tsx";
import { Conflicts } from "./conflicts.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";

const InsertDialog = lazy(async () => ({ default: (await import("../insert/insert-dialog.tsx")).InsertDialog }));

const OpenDialog = lazy(async () => ({ default: (await import("../../rounds/open-dialog.tsx")).OpenDialog }));

const MakeDialog = lazy(async () => ({ default: (await import("../../templates/make-dialog.tsx")).MakeDialog }));

export type Overlay = "settings" | "assumptions" | "explanation" | "discard" | "insert" | "template" | "together";

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
  /** All lines that are selected. */
  readonly picked: readonly Row[];
  readonly canEdit: boolean;
  readonly onGoTo: (id: string) => void;
}

/** What shows above the editor. */
export function Overlays({ overlay, setOverlay, state, hours, sync, actions, row, picked, ...on }: OverlaysProps) {
  const { canEdit, onGoTo } = on;
  const close = () => setOverlay(null);
  const { tree, own, saving } = state;
  return (
    <>
      {saving.at === "conflicted" && (
        <Conflicts
          conflicts={saving.conflicts}
          estimationId={state.estimation.id}
          since={saving.since}
          onResolve={(choices) => sync.resolve(choices)}
        />
      )}
      {overlay === "insert" && canEdit && <InsertDialog row={row} sync={sync} onClose={close} onAdded={onGoTo} />}
      {overlay === "template" && row && (
        <MakeDialog
          estimation={{ ...state.estimation, title: own.title }}
          part={{ id: row.id, title: (row.option ?? row.node).title }}
          saved={() => (canEdit ? sync.savedRevision() : Promise.resolve())}
          onClose={close}
        />
      )}
      {overlay === "together" && canEdit && (
        <OpenDialog
          estimationId={state.estimation.id}
          tree={tree}
          uncertainty={hours.uncertainty}
          // One line has the focus anyway.
          optionIds={picked.length > 1 ? optionsIn(picked).map(({ id }) => id) : []}
          revision={() => sync.savedRevision()}
          catchUp={() => sync.look()}
          onClose={close}
        />
      )}
      {overlay === "settings" && <SettingsDialog own={own} tree={tree} sync={sync} onClose={close} />}
      {overlay === "assumptions" && <AssumptionsDialog text={state.stored.own.assumptions} onClose={close} />}
      {overlay === "discard" && (
        <Confirm
          title={panelTexts.discard.title}
          text={panelTexts.discard.text}
          action={panelTexts.discard.action}
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
