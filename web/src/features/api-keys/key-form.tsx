import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../../../../contract/endpoints/api-keys.ts";
import { limits } from "../../../../contract/limits.ts";
import { type Scope, scopeNames } from "../../../../contract/scopes.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { CheckList } from "../../ui/lists/check-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { localMinute } from "../../ui/numbers/format.ts";
import { uiTexts } from "../../ui/texts.ts";
import { type Expiry, expiryOf } from "./expiry.ts";
import { apiKeyTexts } from "./texts.ts";

const t = apiKeyTexts;

const SCOPES = scopeNames.map((name) => ({ name, meaning: t.meanings[name] }));
const EXPIRIES = Object.entries(t.expiries).map(([value, label]) => ({ value, label }));

export interface KeyFields {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expiresAt: string | null;
}

interface KeyFormProps {
  /** The key to edit; a new one without it. */
  readonly apiKey?: ApiKey;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: (fields: KeyFields) => void;
  readonly onClose: () => void;
}

/** Name and scopes of a key, and for a new one its expiry. */
export function KeyForm({ apiKey, request, onSubmit, onClose }: KeyFormProps) {
  const [chosen, setChosen] = useState<readonly Scope[]>(apiKey?.scopes ?? []);
  const [isAsked, setAsked] = useState(false);
  const [expiry, setExpiry] = useState<Expiry>("days90");
  const choose = (scopes: readonly Scope[]) => {
    setAsked(false);
    setChosen(scopes);
  };
  const faults = faultsByField(request.error);
  const submit = (form: FormData) => {
    const expiresAt = expiryOf(expiry, String(form.get("lastDay")));
    // The field of the day has said why.
    if (expiresAt === undefined) return;
    if (!apiKey && chosen.length === 0 && !isAsked) return setAsked(true);
    onSubmit({ name: String(form.get("name")), scopes: [...chosen], expiresAt });
  };
  return (
    // The response may have a secret that does not show again: nobody closes the dialog before it is there.
    <Dialog title={apiKey ? t.editTitle(apiKey.name) : t.create} onClose={onClose} isLocked={request.isPending}>
      <DialogForm onSubmit={submit}>
        {request.error !== null && Object.keys(faults).length === 0 && (
          <Notice kind="bad">{failureText(request.error)}</Notice>
        )}
        <TextInput
          label={t.name}
          name="name"
          defaultValue={apiKey?.name}
          placeholder={t.namePlaceholder}
          required
          maxLength={limits.apiKeyNameLength}
          error={faults.name}
          autoFocus
        />
        <CheckList label={t.scopes} items={SCOPES} chosen={chosen} onChange={choose} error={faults.scopes} />
        {chosen.includes("admin") && <Notice kind="warn">{t.adminHint}</Notice>}
        {!apiKey && (
          <NativeSelect
            label={t.expiry}
            data={EXPIRIES}
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value as Expiry)}
            error={faults.expiresAt}
          />
        )}
        {!apiKey && expiry === "date" && (
          <TextInput label={t.lastDay} name="lastDay" type="date" required min={localMinute(Date.now()).slice(0, 10)} />
        )}
        {isAsked && <Notice kind="warn">{t.uselessHint}</Notice>}
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={request.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={request.isPending}>
            {apiKey ? uiTexts.save : isAsked ? t.createAnyway : t.createAction}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
