import { texts } from "../texts.ts";
import { IconCheck } from "./icons.tsx";
import styles from "./saved-mark.module.css";

/** Says beside a button or a switch that a change is saved. */
export const SavedMark = ({ isShown, text = texts.saved }: { readonly isShown: boolean; readonly text?: string }) => (
  <span className={styles.saved} role="status">
    {isShown && (
      <>
        <IconCheck /> {text}
      </>
    )}
  </span>
);
