import { UnstyledButton } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { uiTexts } from "../../../ui/texts.ts";
import { treeTexts } from "../texts.ts";
import styles from "../tree-page.module.css";
import type { TreeSync } from "./tree-sync.ts";

const t = treeTexts.editor;

interface SavingMarkProps {
  readonly sync: TreeSync;
  readonly canEdit: boolean;
  /** Gives up the edits that are refused. */
  readonly onDiscard: () => void;
}

/** Whether the server has what is on the screen. */
export function SavingMark({ sync, canEdit, onDiscard }: SavingMarkProps) {
  const saving = useSyncExternalStore(sync.subscribe, () => sync.current().saving.at);
  if (!canEdit && saving === "saved") return null;
  return (
    <span className={`${styles.saving} ${["saved", "saving", "waiting"].includes(saving) ? "" : styles.unsaved}`}>
      <span role="status">{t.saving[saving]}</span>
      {(saving === "offline" || saving === "refused") && (
        <UnstyledButton className={styles.retry} onClick={() => sync.retry()}>
          {uiTexts.retry}
        </UnstyledButton>
      )}
      {saving === "refused" && (
        <UnstyledButton className={styles.retry} onClick={onDiscard}>
          {t.discard}
        </UnstyledButton>
      )}
    </span>
  );
}
