import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey } from "../../../../contract/endpoints/api-keys.ts";
import { api } from "../../api/client.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { type KeyFields, KeyForm } from "./key-form.tsx";
import { keysQuery } from "./queries.ts";
import { apiKeyTexts } from "./texts.ts";

const t = apiKeyTexts;

/** The open dialog and its key. */
export type Asked =
  | { readonly about: "create" }
  | { readonly about: "edit" | "rotate" | "revoke"; readonly apiKey: ApiKey };

interface HandedOut {
  readonly apiKey: ApiKey;
  readonly plaintext: string;
}

interface KeyDialogsProps {
  readonly asked: Asked;
  readonly onClose: () => void;
}

/** Asks for the input, does it, and shows the resulting secret. */
export function KeyDialogs({ asked, onClose }: KeyDialogsProps) {
  const queries = useQueryClient();
  const [shown, setShown] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const changed = () => queries.invalidateQueries(keysQuery);
  const show = ({ data: { apiKey, plaintext } }: { readonly data: HandedOut }) => {
    setShown({ name: apiKey.name, secret: plaintext });
  };
  const create = useSecretRequest(async (body: KeyFields) => {
    // A request that seems to have failed may have made it.
    show(await api.createApiKey({ body }).finally(() => void changed()));
  });
  const rotate = useSecretRequest(async (id: string) =>
    show(await api.rotateApiKey({ params: { id } }).finally(() => void changed())),
  );
  const done = async () => {
    await changed();
    onClose();
  };
  const edit = useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: Pick<KeyFields, "name" | "scopes"> }) =>
      api.updateApiKey({ params: { id }, body }),
    onSuccess: done,
  });
  const revoke = useMutation({
    mutationFn: (id: string) => api.revokeApiKey({ params: { id } }),
    onSuccess: done,
  });
  if (shown) {
    return (
      <SecretDialog
        key="secret"
        title={t.secretTitle(shown.name)}
        text={t.secretText}
        secret={shown.secret}
        onClose={onClose}
      />
    );
  }
  if (asked.about === "create") return <KeyForm request={create} onSubmit={create.start} onClose={onClose} />;
  const { about, apiKey } = asked;
  if (about === "edit") {
    return (
      <KeyForm
        apiKey={apiKey}
        request={edit}
        onSubmit={({ name, scopes }) => edit.mutate({ id: apiKey.id, body: { name, scopes } })}
        onClose={onClose}
      />
    );
  }
  const isRotating = about === "rotate";
  return (
    <Confirm
      title={isRotating ? t.rotateTitle(apiKey.name) : t.revokeTitle(apiKey.name)}
      text={isRotating ? t.rotateText : t.revokeText}
      action={isRotating ? t.rotate : t.revoke}
      request={isRotating ? rotate : revoke}
      onConfirm={() => (isRotating ? rotate.start(apiKey.id) : revoke.mutate(apiKey.id))}
      onClose={onClose}
    />
  );
}
