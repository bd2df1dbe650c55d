import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { uiTexts } from "../../ui/texts.ts";
import styles from "./panel/dialog.module.css";
import { panelTexts } from "./panel/panel-texts.ts";
import { treeTexts } from "./texts.ts";

interface KeySheetProps {
  readonly singleKeys: boolean;
  readonly setSingleKeys: (isOn: boolean) => void;
  readonly onClose: () => void;
}

/** The keys of the editor. */
export function KeySheet({ singleKeys, setSingleKeys, onClose }: KeySheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={`${styles.dialog} ${styles.wide}`} aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">{treeTexts.editor.keysTitle}</h2>
      <dl className={styles.keys}>
        {panelTexts.keySheet.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.side}>
        <input type="checkbox" checked={singleKeys} onChange={(event) => setSingleKeys(event.currentTarget.checked)} />
        {panelTexts.singleKeys}
      </label>
      <form method="dialog" className={styles.end}>
        <Link to="/glossary" className={styles.aside}>
          {panelTexts.glossary}
        </Link>
        <button type="submit" className={styles.button}>
          {uiTexts.close}
        </button>
      </form>
    </dialog>
  );
}
