import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import { type SharePermission, sharePermissions } from "../../../../contract/values/share-permissions.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AddressInput } from "../users/address-input.tsx";
import { acceptPath, InvitedNotice, inviteAction } from "./invited.tsx";
import { findShare, sharesQuery } from "./queries.ts";
import styles from "./shares.module.css";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shares;

/** What a permission is called where one is chosen. */
export const PERMISSIONS = sharePermissions.map((value) => ({ value, label: shareTexts.permissions[value] }));

/** Who a share is for, in words. */
export const nameOf = ({ userName, email, team }: Share) => team?.name ?? userName ?? email ?? "";

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
  const [known, setKnown] = useState<Share | null>(null);
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
      setKnown(null);
      await queries.invalidateQueries({ queryKey: sharesQuery(id).queryKey });
    },
  });
  // Who has access or an invitation already gets the new permission at once: that is asked first.
  const look = useMutation({
    mutationFn: ({ email }: Invitation) => findShare(id, { email }),
    onSuccess: (share, invitation) => {
      if (share && share.permission !== invitation.permission) setKnown(share);
      else invite.mutate(invitation);
    },
  });
  const { email: fault } = faultsByField(invite.error);
  const failed = look.error ?? (known === null ? invite.error : null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.reset();
    look.mutate({ email: written, permission });
  };
  return (
    <>
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
              if (look.isError) look.reset();
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
          <Button type="submit" loading={look.isPending || invite.isPending} disabled={written.trim() === ""}>
            {inviteAction}
          </Button>
        </div>
        {failed !== null && fault === undefined && <Notice kind="bad">{failureText(failed)}</Notice>}
        {invite.isSuccess && <Done reply={invite.data} />}
      </form>
      {known && (
        <Confirm
          title={t.changeTitle(nameOf(known))}
          text={t.changeText(nameOf(known), known.status, known.permission, permission)}
          action={t.change}
          isDangerous={false}
          request={invite}
          onConfirm={() => invite.mutate({ email: written, permission })}
          onClose={() => {
            invite.reset();
            setKnown(null);
          }}
        />
      )}
    </>
  );
}

/** Says what sending did. */
function Done({ reply: { status, data } }: { readonly reply: Awaited<ReturnType<typeof api.createShare>> }) {
  const { id, email } = data.share;
  return status === 201 ? (
    <InvitedNotice email={email ?? ""} path={acceptPath(id)} sent={t.sent(email ?? "")} />
  ) : (
    <Notice kind="info">{t.found(email ?? "")}</Notice>
  );
}
