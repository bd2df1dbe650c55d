import { UnstyledButton } from "@mantine/core";
import { texts } from "../../texts.ts";
import type { EditorState } from "./editor-state.ts";
import styles from "./tree-page.module.css";

const t = texts.editor;

interface SavingMarkProps {
  readonly saving: EditorState["saving"];
  readonly onRetry: () => void;
  /** Gives up the edits that are refused. */
  readonly onDiscard: () => void;
}

/** Whether the server has what is on the screen. */
export const SavingMark = ({ saving, onRetry, onDiscard }: SavingMarkProps) => (
  <span className={`${styles.saving} ${saving === "saved" || saving === "saving" ? "" : styles.unsaved}`}>
    <span role="status">{t.saving[saving]}</span>
    {(saving === "waiting" || saving === "refused") && (
      <UnstyledButton className={styles.retry} onClick={onRetry}>
        {texts.retry}
      </UnstyledButton>
    )}
    {saving === "refused" && (
      <UnstyledButton className={styles.retry} onClick={onDiscard}>
        {t.discard}
      </UnstyledButton>
    )}
  </span>
);
