import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../../contract/client/client-of.ts";
import { limits } from "../../../../contract/limits.ts";
import { shownFigures, shownPercentiles } from "../../../../contract/values/client-links.ts";
import { api } from "../../api/client.ts";
import { faultsByField } from "../../api/failure.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { localMinute } from "../../ui/numbers/format.ts";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { linksQuery } from "./queries.ts";
import { refusalText } from "./refusal-text.ts";
import { clientLinkTexts } from "./texts.ts";

const t = clientLinkTexts.dialog;

type Body = NonNullable<Parameters<typeof api.createClientLink>[0]>["body"];

const SHOWS = shownFigures.map((value) => ({ value, label: clientLinkTexts.shows[value] }));
const PERCENTILES = shownPercentiles.map((value) => ({ value, label: clientLinkTexts.percentiles[value] }));

/** Returns the first moment after a day, where the reader is; null for none. */
const endOf = (day: string): string | null => {
  if (day === "") return null;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + 1).toISOString();
};

/** Asks what a page shows, makes its link, and shows the address for the only time. */
export function LinkDialog({
  estimationId: id,
  onClose,
}: {
  readonly estimationId: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const create = useSecretRequest(async (body: Body) => {
    // A request that seems to have failed may have made it.
    const changed = () => void queries.invalidateQueries({ queryKey: linksQuery(id).queryKey });
    setUrl((await api.createClientLink({ params: { id }, body }).finally(changed)).data.url);
  });
  if (url !== null) {
    return (
      <SecretDialog
        key="secret"
        title={clientLinkTexts.secretTitle}
        text={clientLinkTexts.secretText}
        secret={url}
        onClose={onClose}
      />
    );
  }
  const key = create.error instanceof ApiError ? create.error.body.message : "";
  // Those of a tree are of no field here.
  const faults = key === "tree_incomplete" ? {} : faultsByField(create.error);
  const submit = (form: FormData) => {
    const title = String(form.get("title")).trim();
    create.start({
      ...(title === "" ? {} : { title }),
      expiresAt: endOf(String(form.get("expires"))),
      shows: shownFigures.find((one) => one === form.get("shows")) ?? "hours",
      percentile: shownPercentiles.find((one) => one === form.get("percentile")) ?? "p80",
      choices: form.has("choices"),
      descriptions: form.has("descriptions"),
      confirmRate: form.has("confirmRate"),
    });
  };
  return (
    // The response has an address that does not show again: nobody closes the dialog before it is there.
    <Dialog title={t.title} onClose={onClose} isLocked={create.isPending}>
      <DialogForm onSubmit={submit}>
        {create.error !== null && key !== "rate_would_show" && Object.keys(faults).length === 0 && (
          <Notice kind="bad">{refusalText(create.error)}</Notice>
        )}
        <TextInput
          label={t.heading}
          description={t.headingHint}
          name="title"
          maxLength={limits.titleLength}
          autoFocus
        />
        <NativeSelect label={t.shows} name="shows" data={SHOWS} defaultValue="hours" error={faults.shows} />
        <NativeSelect label={t.percentile} name="percentile" data={PERCENTILES} defaultValue="p80" />
        <TextInput
          label={t.expires}
          description={t.expiresHint}
          name="expires"
          type="date"
          min={localMinute(Date.now()).slice(0, 10)}
          error={faults.expiresAt}
        />
        <Checkbox name="choices" label={t.choices} />
        <Checkbox name="descriptions" label={t.descriptions} description={t.descriptionsHint} />
        {key === "rate_would_show" && <Checkbox name="confirmRate" label={t.rate} required />}
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={create.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t.action}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
