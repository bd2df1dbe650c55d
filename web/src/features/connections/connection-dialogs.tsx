import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Connection } from "../../../../contract/endpoints/connections.ts";
import { api } from "../../api/client.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { profileTexts } from "../profile/texts.ts";
import { CheckDialog } from "./check-dialog.tsx";
import { type ConnectionFields, ConnectionForm } from "./connection-form.tsx";
import { connectionsQuery } from "./queries.ts";
import { connectionTexts } from "./texts.ts";

const t = connectionTexts;

/** The open dialog and its connection. */
export type Asked =
  | { readonly about: "create" }
  | { readonly about: "edit" | "check" | "remove"; readonly connection: Connection };

interface ConnectionDialogsProps {
  readonly asked: Asked;
  readonly onClose: () => void;
}

export function ConnectionDialogs({ asked, onClose }: ConnectionDialogsProps) {
  const queries = useQueryClient();
  const done = async () => {
    await queries.invalidateQueries(connectionsQuery);
    onClose();
  };
  const create = useSecretRequest(async (body: ConnectionFields) => {
    await api.createConnection({ body });
    await done();
  });
  const edit = useSecretRequest(async (change: ConnectionFields & { readonly id: string }) => {
    const { id, target: _, token, ...fields } = change;
    await api.updateConnection({ params: { id }, body: { ...fields, ...(token === "" ? {} : { token }) } });
    await done();
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteConnection({ params: { id } }),
    onSuccess: done,
  });
  if (asked.about === "create") return <ConnectionForm request={create} onSubmit={create.start} onClose={onClose} />;
  const { connection } = asked;
  if (asked.about === "check") return <CheckDialog connection={connection} onClose={onClose} />;
  if (asked.about === "edit") {
    return (
      <ConnectionForm
        connection={connection}
        request={edit}
        onSubmit={(fields) => edit.start({ ...fields, id: connection.id })}
        onClose={onClose}
      />
    );
  }
  return (
    <Confirm
      title={t.removeTitle(connection.name)}
      text={t.removeText}
      action={profileTexts.remove}
      request={remove}
      onConfirm={() => remove.mutate(connection.id)}
      onClose={onClose}
    />
  );
}
