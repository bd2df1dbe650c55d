import { Button, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { limits } from "../../../../contract/limits.ts";
import { failureText } from "../../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly action?: string;
  /** Whether it cannot be left empty. */
  readonly isNeeded?: boolean;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onName: (name: string, fields: FormData) => void;
  readonly onClose: () => void;
  /** More fields, below the name. */
  readonly children?: ReactNode;
}

/** Asks for the name of a version or a thread. */
export const NameDialog = ({
  title,
  label,
  hint,
  value = "",
  action = uiTexts.save,
  isNeeded = false,
  request,
  onName,
  onClose,
  children,
}: NameDialogProps) => (
  <Dialog title={title} onClose={onClose} isLocked={request.isPending}>
    <DialogForm onSubmit={(fields) => onName(String(fields.get("name") ?? "").trim(), fields)}>
      <TextInput
        name="name"
        label={label}
        description={hint}
        defaultValue={value}
        required={isNeeded}
        withAsterisk={false}
        maxLength={limits.titleLength}
        autoComplete="off"
        data-autofocus
      />
      {children}
      {request.error !== null && <Notice kind="bad">{failureText(request.error)}</Notice>}
      <DialogEnd>
        <Button variant="default" onClick={onClose} disabled={request.isPending}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" loading={request.isPending}>
          {action}
        </Button>
      </DialogEnd>
    </DialogForm>
  </Dialog>
);
