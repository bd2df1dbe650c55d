import { memo, type ReactNode, useDeferredValue, useMemo } from "react";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { TextButton } from "../../../ui/text-button.tsx";
import { EstimationHead } from "../../states/estimation-head.tsx";
import { SavingMark } from "../sync/saving-mark.tsx";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";

const t = treeTexts.editor;

interface HeadProps {
  readonly estimation: Estimation;
  readonly tree: Tree;
  readonly sync: TreeSync;
  readonly canEdit: boolean;
  readonly onSettings: () => void;
  readonly onAssumptions: () => void;
  readonly onDiscard: () => void;
}

/** The head above the tree, with whether everything is saved. It takes edits of the tree after the lines show them. */
export const EditorHead = memo(
  ({ estimation, tree, sync, canEdit, onSettings, onAssumptions, onDiscard }: HeadProps) => {
    const settled = useDeferredValue(tree);
    return useMemo((): ReactNode => {
      // Only a draft has to be saved before it is moved.
      const edits = canEdit && { revision: () => sync.savedRevision(), onEdit: onSettings };
      return (
        <EstimationHead estimation={estimation} tree={settled} catchUp={() => sync.look()} {...edits}>
          {/* Who edits has them among the settings. */}
          {!canEdit && estimation.assumptions !== "" && (
            <TextButton onClick={onAssumptions}>{t.assumptions}</TextButton>
          )}
          <SavingMark sync={sync} canEdit={canEdit} onDiscard={onDiscard} />
        </EstimationHead>
      );
    }, [estimation, settled, sync, canEdit, onSettings, onAssumptions, onDiscard]);
  },
);
