import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Connection, ExportTarget } from "../../../../contract/endpoints/connections.ts";
import { limits } from "../../../../contract/limits.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Choice } from "../../ui/choice.tsx";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { profileTexts } from "../profile/texts.ts";
import { connectionTexts } from "./texts.ts";

const t = connectionTexts;

export interface ConnectionFields {
  readonly target: ExportTarget;
  readonly name: string;
  readonly baseUrl: string | null;
  readonly email: string | null;
  /** Null: the usual ones. */
  readonly droppedResolutions: string[] | null;
  /** Empty: it stays as it is. */
  readonly token: string;
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

interface ConnectionFormProps {
  /** The connection to edit; a new one without it. */
  readonly connection?: Connection;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: (fields: ConnectionFields) => void;
  readonly onClose: () => void;
}

export function ConnectionForm({ connection, request, onSubmit, onClose }: ConnectionFormProps) {
  const [target, setTarget] = useState<ExportTarget>(connection?.target ?? "github");
  const faults = faultsByField(request.error);
  const isJira = target === "jira";
  const submit = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    onSubmit({
      target,
      name: text("name"),
      baseUrl: text("baseUrl") || null,
      email: text("email") || null,
      droppedResolutions: connection && isJira ? linesOf(text("droppedResolutions")) : null,
      token: text("token"),
    });
  };
  return (
    <Dialog title={connection ? t.editTitle(connection.name) : t.createTitle} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        {request.error !== null && Object.keys(faults).length === 0 && (
          <Notice kind="bad">{failureText(request.error)}</Notice>
        )}
        {!connection && (
          <div>
            <Choice label={t.target} options={t.targets} value={target} onChange={setTarget} />
          </div>
        )}
        <TextInput
          label={t.name}
          name="name"
          defaultValue={connection?.name}
          required
          maxLength={limits.connectionNameLength}
          error={faults.name}
          autoFocus
        />
        <TextInput
          label={isJira ? t.baseUrls.jira : profileTexts.optional(t.baseUrls.github)}
          description={t.baseUrlHints[target]}
          name="baseUrl"
          inputMode="url"
          defaultValue={connection?.baseUrl ?? ""}
          required={isJira}
          maxLength={limits.urlLength}
          error={faults.baseUrl}
        />
        {isJira && (
          <TextInput
            label={t.email}
            name="email"
            type="email"
            autoComplete="off"
            defaultValue={connection?.email ?? ""}
            required
            maxLength={limits.emailLength}
            error={faults.email}
          />
        )}
        {isJira && connection && (
          <Textarea
            label={t.dropped}
            description={t.droppedHint}
            name="droppedResolutions"
            defaultValue={connection.droppedResolutions?.join("\n")}
            rows={4}
            error={faults.droppedResolutions}
          />
        )}
        <PasswordField
          label={connection ? profileTexts.optional(t.token) : t.token}
          description={connection ? t.newTokenHint : t.tokenHint}
          name="token"
          autoComplete="off"
          required={!connection}
          maxLength={limits.connectionTokenLength}
          error={faults.token}
        />
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={request.isPending}>
            {connection ? uiTexts.save : t.createAction}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
