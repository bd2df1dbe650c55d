import { type ReactNode, type SubmitEvent, useId, useLayoutEffect, useRef } from "react";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Called when the reader presses Escape: the caller then removes the dialog. */
  readonly onClose: () => void;
  /** Whether Escape does nothing, because the dialog shows, or will show, something for the only time. */
  readonly isLocked?: boolean;
  /** Wide: for a text in columns. Palette: near the window's top, without a heading or a margin of its own; a click outside closes it. */
  readonly look?: "wide" | "palette";
}

/** A modal dialog while it is rendered. The browser keeps the focus inside, and gives it back afterwards. */
export function Dialog({ title, children, onClose, isLocked = false, look }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Otherwise the first thing that can have it has the focus.
    shown?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${look ? styles[look] : ""}`}
      aria-labelledby={titleId}
      closedby={look === "palette" ? "any" : "closerequest"}
      onCancel={(event) => {
        // A file chooser inside sends this event, too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isLocked) onClose();
      }}
      onClose={({ currentTarget }) => {
        // Browsers let nobody prevent a second Escape.
        if (currentTarget.open || !currentTarget.isConnected) return;
        if (isLocked) currentTarget.showModal();
        else onClose();
      }}
    >
      <h2 id={titleId} className={look === "palette" ? "unseen" : ""}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The fields of a dialog, one below another. */
export const DialogForm = ({
  children,
  onSubmit,
}: {
  readonly children: ReactNode;
  readonly onSubmit: (fields: FormData) => void;
}) => (
  <form
    className={styles.form}
    method="post"
    onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      onSubmit(new FormData(event.currentTarget));
    }}
  >
    {children}
  </form>
);

/** The buttons at the end of a dialog; the one that does it is the last. */
export const DialogEnd = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.end}>{children}</div>
);
