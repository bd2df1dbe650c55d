import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { webhookQuery, webhooksQuery } from "./queries.ts";
import { webhookTexts } from "./texts.ts";
import { type WebhookFields, WebhookForm } from "./webhook-form.tsx";

const t = webhookTexts;

/** Asks for a new webhook, shows its secret, then goes to its page. */
export function CreateWebhook({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  // A request that seems to have failed may have made it.
  const changed = () => void queries.invalidateQueries(webhooksQuery);
  const create = useSecretRequest(async (body: WebhookFields) => {
    const { webhook, secret } = (await api.createWebhook({ body }).finally(changed)).data;
    queries.setQueryData(webhookQuery(webhook.id).queryKey, webhook);
    setMade({ id: webhook.id, secret });
  });
  if (made === null) return <WebhookForm request={create} onSubmit={create.start} onClose={onClose} />;
  return (
    <SecretDialog
      title={t.secretTitle}
      text={t.secretText}
      secret={made.secret}
      onClose={() => void navigate({ to: "/profile/webhooks/$id", params: { id: made.id } })}
    />
  );
}
