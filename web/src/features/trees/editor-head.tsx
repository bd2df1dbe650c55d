import { memo, type ReactNode, useDeferredValue, useMemo } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { EstimationHead } from "../states/estimation-head.tsx";
import { SavingMark } from "./saving/saving-mark.tsx";
import type { TreeSync } from "./saving/tree-sync.ts";

interface HeadProps {
  readonly estimation: Estimation;
  readonly tree: Tree;
  readonly sync: TreeSync;
  readonly canEdit: boolean;
  readonly onSettings: () => void;
  readonly onDiscard: () => void;
}

/** The head above the tree, with whether everything is saved. It takes edits of the tree after the lines show them. */
export const EditorHead = memo(({ estimation, tree, sync, canEdit, onSettings, onDiscard }: HeadProps) => {
  const settled = useDeferredValue(tree);
  return useMemo((): ReactNode => {
    // Only a draft has to be saved before it is moved.
    const edits = canEdit && { revision: () => sync.savedRevision(), onEdit: onSettings };
    return (
      <EstimationHead estimation={estimation} tree={settled} catchUp={() => sync.look()} {...edits}>
        <SavingMark sync={sync} canEdit={canEdit} onDiscard={onDiscard} />
      </EstimationHead>
    );
  }, [estimation, settled, sync, canEdit, onSettings, onDiscard]);
});
