import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BodyFormat, Webhook } from "../../../../contract/endpoints/webhooks.ts";
import type { SubscribableEvent } from "../../../../contract/events.ts";
import { limits } from "../../../../contract/limits.ts";
import { failureText, faultsByField, isRefusal } from "../../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { CheckList } from "../../ui/lists/check-list.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { profileTexts } from "../profile/texts.ts";
import { catalogueQuery } from "./queries.ts";
import { webhookTexts } from "./texts.ts";

const t = webhookTexts;

const FORMATS = Object.entries(t.formats).map(([value, label]) => ({ value, label }));

export interface WebhookFields {
  readonly url: string;
  readonly events: SubscribableEvent[];
  readonly description: string;
  readonly bodyFormat: BodyFormat;
}

interface WebhookFormProps {
  /** The webhook to edit; a new one without it. */
  readonly webhook?: Webhook;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: (fields: WebhookFields) => void;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, request, onSubmit, onClose }: WebhookFormProps) {
  const catalogue = useQuery(catalogueQuery);
  const [events, setEvents] = useState<readonly SubscribableEvent[]>(webhook?.events ?? []);
  const [bodyFormat, setBodyFormat] = useState<BodyFormat>(webhook?.bodyFormat ?? "data");
  const known = catalogue.data?.filter(({ subscribable }) => subscribable) ?? [];
  const items = known.map(({ name, when }) => ({
    name: name as SubscribableEvent,
    meaning: t.meanings[name as SubscribableEvent] ?? when,
  }));
  const { url: urlFault, ...faults } = faultsByField(request.error);
  const notHttps = isRefusal(request.error, "webhook_url_must_be_https") ? t.notHttps : undefined;
  const isGeneral = request.error !== null && !urlFault && !notHttps && Object.keys(faults).length === 0;
  const submit = (form: FormData) =>
    onSubmit({
      url: String(form.get("url")).trim(),
      events: [...events],
      description: String(form.get("description")),
      bodyFormat,
    });
  return (
    // The response may have a secret that does not show again: nobody closes the dialog before it is there.
    <Dialog title={webhook ? t.editTitle : t.createTitle} onClose={onClose} isLocked={request.isPending}>
      <DialogForm onSubmit={submit}>
        {isGeneral && <Notice kind="bad">{failureText(request.error)}</Notice>}
        <TextInput
          label={t.url}
          description={t.urlHint}
          name="url"
          inputMode="url"
          placeholder={t.urlPlaceholder}
          defaultValue={webhook?.url}
          required
          maxLength={limits.urlLength}
          error={urlFault ?? notHttps}
          autoFocus
        />
        <LoadFailure query={catalogue} />
        {catalogue.isPending && <SkeletonRows rows={6} />}
        {catalogue.data && (
          <CheckList
            label={t.events}
            hint={t.eventsHint}
            items={items}
            chosen={events}
            onChange={setEvents}
            error={faults.events}
          />
        )}
        <TextInput
          label={profileTexts.optional(t.description)}
          name="description"
          defaultValue={webhook?.description}
          maxLength={limits.webhookDescriptionLength}
          error={faults.description}
        />
        <NativeSelect
          label={t.format}
          data={FORMATS}
          value={bodyFormat}
          onChange={(event) => setBodyFormat(event.currentTarget.value as BodyFormat)}
          error={faults.bodyFormat}
        />
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={request.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={request.isPending} disabled={!catalogue.data}>
            {webhook ? uiTexts.save : t.createAction}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
