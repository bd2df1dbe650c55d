import { Button } from "@mantine/core";
import { failureText } from "../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "./dialog.tsx";
import { Notice } from "./notice.tsx";
import { uiTexts } from "./texts.ts";

interface ConfirmProps {
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  /** The verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The request that was started. */
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. Once confirmed, the dialog stays until the response arrives. */
export const Confirm = ({ title, text, action, isDangerous = true, request, onConfirm, onClose }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose} isLocked={request.isPending}>
    <DialogForm onSubmit={onConfirm}>
      <p className="muted">{text}</p>
      {request.error !== null && <Notice kind="bad">{failureText(request.error)}</Notice>}
      <DialogEnd>
        <Button variant="default" onClick={onClose} disabled={request.isPending}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" loading={request.isPending} {...(isDangerous ? { color: "red.9" } : {})}>
          {action}
        </Button>
      </DialogEnd>
    </DialogForm>
  </Dialog>
);
