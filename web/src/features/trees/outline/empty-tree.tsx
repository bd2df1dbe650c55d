import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { panelTexts } from "../panels/panel-texts.ts";
import styles from "./empty-tree.module.css";
import type { BeginLine } from "./use-new-line.ts";

const t = panelTexts.empty;

interface EmptyProps {
  readonly begin: BeginLine;
  /** Whether typing a letter begins a line. */
  readonly hasSingleKeys: boolean;
  readonly onPaste: (text: string) => void;
}

/** Where the lines of a tree will be: it has the focus when it opens, so that the first line is typed or pasted at once. */
export function EmptyTree({ begin, hasSingleKeys, onPaste }: EmptyProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const isFree = !document.activeElement?.matches("a, button, input, textarea, select, [tabindex='0']");
    if (isFree && !document.querySelector("dialog[open]")) button.current?.focus();
  }, []);
  const start = (typed?: string) => begin({ kind: "node", parentId: null, afterId: null }, null, typed);
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (!hasSingleKeys || key.length > 1 || " ?/".includes(key) || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    start(key);
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text");
    if (text.trim() === "") return;
    event.preventDefault();
    onPaste(text);
  };
  return (
    <button
      ref={button}
      type="button"
      className={styles.empty}
      onClick={() => start()}
      onKeyDown={press}
      onPaste={paste}
    >
      <span className={styles.start}>{t.start}</span> {t.example}
    </button>
  );
}
