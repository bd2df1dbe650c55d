import { type ComponentProps, useState } from "react";
import { createPortal } from "react-dom";
import { IconClose } from "./icons.tsx";
import styles from "./notice.module.css";
import { Notice } from "./notice.tsx";
import { uiTexts } from "./texts.ts";

/** The element that floating notices show in, above the page's end: nothing on the page moves because of them. */
export const floatingPlace = "notices";

/** Says something that came up, until it is closed. What says something else has another key. */
export function FloatingNotice({ children, action, ...notice }: ComponentProps<typeof Notice>) {
  const [isClosed, setClosed] = useState(false);
  const place = document.getElementById(floatingPlace);
  if (isClosed || !place) return null;
  const close = (
    <button type="button" className={styles.close} aria-label={uiTexts.close} onClick={() => setClosed(true)}>
      <IconClose size={14} />
    </button>
  );
  const ends = (
    <span className={styles.ends}>
      {action}
      {close}
    </span>
  );
  return createPortal(
    <Notice {...notice} action={ends}>
      {children}
    </Notice>,
    place,
  );
}
