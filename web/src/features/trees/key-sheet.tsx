import { useEffect, useRef } from "react";
import { texts } from "../../texts.ts";
import { editing } from "../../texts-of-editing.ts";
import styles from "./dialog.module.css";

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
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">{texts.editor.keysTitle}</h2>
      <dl className={styles.keys}>
        {editing.keySheet.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.side}>
        <input type="checkbox" checked={singleKeys} onChange={(event) => setSingleKeys(event.currentTarget.checked)} />
        {editing.singleKeys}
      </label>
      <form method="dialog" className={styles.end}>
        <button type="submit" className={styles.button}>
          {texts.close}
        </button>
      </form>
    </dialog>
  );
}
