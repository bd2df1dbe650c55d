import { Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { type SharePermission, sharePermissions } from "../../../../contract/share-permissions.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { shareTexts } from "../../texts-of-shares.ts";
import { Notice } from "../../ui/notice.tsx";
import { sharesQuery } from "./queries.ts";
import styles from "./shares.module.css";

const t = shareTexts.shares;

/** What a permission is called where one is chosen. */
export const PERMISSIONS = sharePermissions.map((value) => ({ value, label: shareTexts.permissions[value] }));

interface Invitation {
  readonly email: string;
  readonly permission: SharePermission;
}

/** Invites an address. While it is typed, people whom the reader may find are proposed. */
export function InviteForm({ estimationId: id }: { readonly estimationId: string }) {
  const queries = useQueryClient();
  const listId = useId();
  const [written, setWritten] = useState("");
  const [permission, setPermission] = useState<SharePermission>("view");
  const found = useFoundUsers(written);
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
        <TextInput
          className={styles.address}
          label={t.invite}
          description={t.inviteHint}
          inputMode="email"
          autoComplete="off"
          list={listId}
          required
          maxLength={limits.emailLength}
          error={fault}
          value={written}
          onChange={(event) => {
            setWritten(event.currentTarget.value);
            if (!invite.isIdle && !invite.isPending) invite.reset();
          }}
        />
        <datalist id={listId}>
          {found.map(({ email, name }) => (
            <option key={email} value={email} label={name} />
          ))}
        </datalist>
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
        <Notice kind="info">{(invite.data.status === 201 ? t.sent : t.found)(invite.data.data.share.email)}</Notice>
      )}
    </form>
  );
}

const PAUSE_MS = 250;
const SEARCHED_LENGTH = 2;

/** Returns people whose name or address has what was written, once the writer pauses. A search that fails finds nobody. */
function useFoundUsers(written: string) {
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(written.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written]);
  const search = useQuery({
    queryKey: ["users", q],
    queryFn: async () => (await api.searchUsers({ query: { q } })).data.users,
    enabled: q.length >= SEARCHED_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
  return q.length >= SEARCHED_LENGTH ? (search.data ?? []) : [];
}
