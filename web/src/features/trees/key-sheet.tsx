import { useEffect, useRef } from "react";
import { texts } from "../../texts.ts";
import styles from "./dialog.module.css";

const t = texts.editor;

/** The keys of the editor. */
export function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">{t.keysTitle}</h2>
      <dl className={styles.keys}>
        {t.keySheet.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" className={styles.end}>
        <button type="submit" className={styles.button}>
          {texts.close}
        </button>
      </form>
    </dialog>
  );
}
