import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Share } from "../../../../contract/endpoints/shares.ts";
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

interface InviteProps {
  readonly estimationId: string;
  /** The invitation whose address was wrong: it ends once another address is invited. null: none. */
  readonly corrected: Share | null;
}

/** Invites an address. */
export function InviteForm({ estimationId: id, corrected }: InviteProps) {
  const queries = useQueryClient();
  const [written, setWritten] = useState(corrected?.email ?? "");
  const [permission, setPermission] = useState<SharePermission>(corrected?.permission ?? "view");
  const [replaced, setReplaced] = useState(corrected);
  const invite = useMutation({
    async mutationFn(body: Invitation) {
      const invited = await api.createShare({ params: { id }, body });
      if (replaced && invited.data.share.id !== replaced.id)
        await api.deleteShare({ params: { shareId: replaced.id } });
      return invited;
    },
    onSuccess: async () => {
      setWritten("");
      setReplaced(null);
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
          autoFocus={corrected !== null}
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
