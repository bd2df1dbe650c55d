import { Button, TextInput } from "@mantine/core";
import { limits } from "../../../../contract/limits.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { teamTexts } from "./texts.ts";

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly name?: string;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a team. */
export function NameDialog({ title, action, name = "", request, onSubmit, onClose }: NameDialogProps) {
  const faults = faultsByField(request.error);
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm onSubmit={(fields) => onSubmit(String(fields.get("name")).trim())}>
        {request.error !== null && faults.name === undefined && (
          <Notice kind="bad">{failureText(request.error)}</Notice>
        )}
        <TextInput
          label={teamTexts.name}
          name="name"
          autoComplete="off"
          defaultValue={name}
          required
          maxLength={limits.titleLength}
          error={faults.name}
          autoFocus
        />
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={request.isPending}>
            {action}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
