import { Button, Textarea } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { limits } from "../../../../../contract/limits.ts";
import { failureText, faultsByField } from "../../../api/failure.ts";
import { described } from "../../../ui/hinted.ts";
import { Notice } from "../../../ui/notice.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import { reviewTexts } from "../texts.ts";
import styles from "./talk.module.css";

const t = reviewTexts.talk;

/** Whether a key sends what was typed. */
export const sends = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === "Enter" && (ctrlKey || metaKey);

interface FormProps {
  readonly label: string;
  readonly action: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Whether it was open before the page was loaded again: then the focus stays where it is. */
  readonly isRestored?: boolean;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onSend: () => void;
  readonly onClose: () => void;
  /** Called on Escape: the text stays, as a key that is pressed by mistake must not lose it. */
  readonly onEscape: () => void;
}

/** A field for a comment: Ctrl+Enter sends it, Escape closes it. */
export function CommentForm({ label, action, text, onText, isRestored = false, request, ...on }: FormProps) {
  const { onSend, onClose, onEscape } = on;
  const field = useRef<HTMLTextAreaElement>(null);
  const takesFocus = useRef(!isRestored);
  useEffect(() => {
    if (takesFocus.current) field.current?.focus({ preventScroll: true });
  }, []);
  const fault = faultsByField(request.error).body;
  const send = () => text.trim() !== "" && !request.isPending && onSend();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (sends(event)) send();
        else if (event.key === "Escape") onEscape();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Textarea
        aria-label={label}
        rows={3}
        maxLength={limits.commentLength}
        value={text}
        readOnly={request.isPending}
        error={fault}
        ref={field}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      {request.error !== null && fault === undefined && <Notice kind="bad">{failureText(request.error)}</Notice>}
      <div className={styles.formEnd}>
        <Button variant="default" size="compact-sm" onClick={onClose}>
          {uiTexts.cancel}
        </Button>
        <Button
          type="submit"
          size="compact-sm"
          {...described(t.sendKey)}
          loading={request.isPending}
          disabled={text.trim() === ""}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
