import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Webhook } from "../../../../contract/endpoints/webhooks.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { IconMore, IconRotate, IconTrash } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { profileTexts } from "../profile/texts.ts";
import { webhookQuery, webhooksQuery } from "./queries.ts";
import { TestResult } from "./test-result.tsx";
import { webhookTexts } from "./texts.ts";
import styles from "./webhook-actions.module.css";
import { type WebhookFields, WebhookForm } from "./webhook-form.tsx";

const t = webhookTexts;

/** What can be done with a webhook, and how its test went. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const { id, active } = webhook;
  const queries = useQueryClient();
  const [asked, setAsked] = useState<"edit" | "rotate" | "remove" | null>(null);
  const store = (changed: Webhook) => {
    queries.setQueryData(webhookQuery(id).queryKey, changed);
    void queries.invalidateQueries(webhooksQuery);
  };
  const test = useMutation({
    mutationFn: async () => (await api.testWebhook({ params: { id } })).data.delivery.id,
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.deliveries(id) }),
  });
  const pause = useMutation({
    mutationFn: () => api.updateWebhook({ params: { id }, body: { active: !active } }),
    onSuccess: ({ data }) => store(data.webhook),
  });
  const close = () => setAsked(null);
  return (
    <>
      <div className={styles.actions}>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {t.test}
        </Button>
        <Button variant="default" onClick={() => setAsked("edit")}>
          {profileTexts.edit}
        </Button>
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
          {active ? t.pause : t.resume}
        </Button>
        <Menu label={profileTexts.actionsOf(webhook.url)} button={<IconMore />}>
          <MenuItem icon={<IconRotate />} onChoose={() => setAsked("rotate")}>
            {t.rotate}
          </MenuItem>
          <MenuItem icon={<IconTrash />} onChoose={() => setAsked("remove")}>
            {profileTexts.remove}
          </MenuItem>
        </Menu>
      </div>
      {(test.isError || pause.isError) && <Notice kind="bad">{failureText(test.error ?? pause.error)}</Notice>}
      {test.isSuccess && (
        <div className={styles.result}>
          <TestResult key={test.data} webhookId={id} deliveryId={test.data} />
        </div>
      )}
      {asked === "edit" && <Edit webhook={webhook} onStored={store} onClose={close} />}
      {asked === "rotate" && <Rotate webhook={webhook} onStored={store} onClose={close} />}
      {asked === "remove" && <Remove webhook={webhook} onClose={close} />}
    </>
  );
}

interface AskedProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

interface ChangeProps extends AskedProps {
  readonly onStored: (changed: Webhook) => void;
}

function Edit({ webhook, onStored, onClose }: ChangeProps) {
  const edit = useMutation({
    mutationFn: (body: WebhookFields) => api.updateWebhook({ params: { id: webhook.id }, body }),
    onSuccess: ({ data }) => {
      onStored(data.webhook);
      onClose();
    },
  });
  return <WebhookForm webhook={webhook} request={edit} onSubmit={edit.mutate} onClose={onClose} />;
}

function Rotate({ webhook, onStored, onClose }: ChangeProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useSecretRequest(async (id: string) => {
    const { data } = await api.rotateWebhookSecret({ params: { id } });
    setSecret(data.secret);
    onStored(data.webhook);
  });
  if (secret !== null) {
    return <SecretDialog title={t.secretTitle} text={t.secretText} secret={secret} onClose={onClose} />;
  }
  return (
    <Confirm
      title={t.rotateTitle}
      text={t.rotateText(limits.webhookFormerSecretHours)}
      action={t.rotate}
      isDangerous={false}
      request={rotate}
      onConfirm={() => rotate.start(webhook.id)}
      onClose={onClose}
    />
  );
}

function Remove({ webhook: { id }, onClose }: AskedProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook({ params: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries(webhooksQuery);
      await navigate({ to: "/profile/webhooks" });
    },
  });
  return (
    <Confirm
      title={t.removeTitle}
      text={t.removeText}
      action={profileTexts.remove}
      request={remove}
      onConfirm={remove.mutate}
      onClose={onClose}
    />
  );
}
