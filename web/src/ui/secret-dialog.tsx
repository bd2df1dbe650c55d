import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { Checkbox } from "./checkbox.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog, DialogEnd, DialogForm } from "./dialog.tsx";
import { Notice } from "./notice.tsx";
import styles from "./secret-dialog.module.css";
import { uiTexts } from "./texts.ts";

const t = uiTexts.secret;

interface SecretDialogProps {
  readonly title: string;
  /** What it is for. */
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret for the only time. It closes when the reader says that it is saved. */
export function SecretDialog({ title, text, secret, onClose }: SecretDialogProps) {
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    if (isSaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isSaved]);
  return (
    <Dialog title={title} onClose={onClose} isLocked={!isSaved}>
      <DialogForm onSubmit={onClose}>
        <p className="muted">{text}</p>
        <code className={styles.secret}>{secret}</code>
        <div className={styles.copy}>
          <CopyButton text={secret} label={t.copy} />
        </div>
        <Notice kind="warn">{t.once}</Notice>
        <Checkbox label={t.saved} checked={isSaved} onChange={(event) => setSaved(event.currentTarget.checked)} />
        <DialogEnd>
          <Button type="submit" disabled={!isSaved}>
            {t.done}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
