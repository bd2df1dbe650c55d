import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type SharePermission, sharePermissions } from "../../../../contract/values/share-permissions.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Notice } from "../../ui/notice.tsx";
import { AddressInput } from "../users/address-input.tsx";
import { sharesQuery } from "./queries.ts";
import styles from "./shares.module.css";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shares;

/** What a permission is called where one is chosen. */
export const PERMISSIONS = sharePermissions.map((value) => ({ value, label: shareTexts.permissions[value] }));

interface Invitation {
  readonly email: string;
  readonly permission: SharePermission;
}

/** Invites an address. */
export function InviteForm({ estimationId: id }: { readonly estimationId: string }) {
  const queries = useQueryClient();
  const [written, setWritten] = useState("");
  const [permission, setPermission] = useState<SharePermission>("view");
  const invite = useMutation({
    mutationFn: (body: Invitation) => api.createShare({ params: { id }, body }),
    onSuccess: async () => {
      setWritten("");
      await queries.invalidateQueries({ queryKey: sharesQuery(id).queryKey });
    },
  });
  const { email: fault } = faultsByField(invite.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ email: written, permission });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.fields}>
        <AddressInput
          className={styles.address}
          label={t.invite}
          description={t.inviteHint}
          error={fault}
          value={written}
          onChange={(next) => {
            setWritten(next);
            if (!invite.isIdle && !invite.isPending) invite.reset();
          }}
        />
        <NativeSelect
          label={t.permission}
          data={PERMISSIONS}
          value={permission}
          onChange={({ currentTarget: { value } }) =>
            setPermission(sharePermissions.find((known) => known === value) ?? "view")
          }
        />
        <Button type="submit" loading={invite.isPending} disabled={written.trim() === ""}>
          {t.action}
        </Button>
      </div>
      {invite.isError && fault === undefined && <Notice kind="bad">{failureText(invite.error)}</Notice>}
      {invite.isSuccess && (
        <Notice kind="info">
          {(invite.data.status === 201 ? t.sent : t.found)(invite.data.data.share.email ?? "")}
        </Notice>
      )}
    </form>
  );
}
