import { IconCheck } from "./icons.tsx";
import styles from "./saved-mark.module.css";
import { uiTexts } from "./texts.ts";

/** Says beside a button or a switch that a change is saved. */
export const SavedMark = ({ isShown, text = uiTexts.saved }: { readonly isShown: boolean; readonly text?: string }) => (
  <span className={styles.saved} role="status">
    {isShown && (
      <>
        <IconCheck /> {text}
      </>
    )}
  </span>
);
