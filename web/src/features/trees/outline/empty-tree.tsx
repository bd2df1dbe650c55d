import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { createNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import { findNode } from "../../../../../domain/tree/edit/locate.ts";
import type { SetFocus } from "../editor.tsx";
import { panelTexts } from "../panels/panel-texts.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import styles from "./empty-tree.module.css";
import type { BeginLine } from "./use-new-line.ts";

const t = panelTexts.empty;

interface EmptyProps {
  readonly sync: TreeSync;
  readonly setFocus: SetFocus;
  readonly begin: BeginLine;
  /** Whether typing a letter begins a line. */
  readonly hasSingleKeys: boolean;
  /** `closed` is called when what was pasted has been added, or not. */
  readonly onPaste: (text: string, closed: () => void) => void;
}

/** Where the lines of a tree will be: it has the focus when it opens, so that the first line is typed or pasted at once. */
export function EmptyTree({ sync, setFocus, begin, hasSingleKeys, onPaste }: EmptyProps) {
  const button = useRef<HTMLButtonElement>(null);
  /** All keys until the first line shows: right after the page was opened, its id may be under way. */
  const typed = useRef("");
  useEffect(() => {
    const isFree = !document.activeElement?.matches("a, button, input, textarea, select, [tabindex='0']");
    if (isFree && !document.querySelector("dialog[open]")) button.current?.focus();
  }, []);
  const start = () => begin({ kind: "node", parentId: null, afterId: null }, null, () => typed.current);
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isOther = key.length > 1 || (typed.current === "" && " ?/".includes(key));
    if (!hasSingleKeys || isOther || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    typed.current += key;
    start();
  };
  const paste = async (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text");
    if (text.trim() === "") return;
    event.preventDefault();
    // What is pasted goes into a question, of which all options count.
    const id = sync.ids.take("node") ?? (await sync.ids.takeAll("node", 1))?.[0];
    const fields = { title: treeTexts.editor.newNode, kind: "group" as const };
    const refused = id ? sync.edit((tree) => createNode(tree, fields, () => id)) : treeTexts.editor.noIds;
    if (refused || !id) return sync.say(refused);
    setFocus({ rowId: id, column: 0, typed: null });
    // Without anything in it, it goes again.
    const closed = () =>
      queueMicrotask(() => {
        if (findNode(sync.current().tree, id)?.node.options.length === 0) sync.undo();
      });
    onPaste(text, closed);
  };
  return (
    <button
      ref={button}
      type="button"
      className={styles.empty}
      onClick={start}
      onKeyDown={press}
      onPaste={(event) => void paste(event)}
    >
      <span className={styles.start}>{t.start}</span> {t.example}
    </button>
  );
}
