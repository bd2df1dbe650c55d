import { Button, NativeSelect } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { TeamInvitation } from "../../../../contract/endpoints/teams.ts";
import type { TeamRole } from "../../../../contract/values/team-roles.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { IconMore } from "../../ui/icons.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { Person } from "../../ui/person.tsx";
import { InvitedNotice, inviteAction } from "../shares/invited.tsx";
import styles from "../shares/shares.module.css";
import { AddressInput } from "../users/address-input.tsx";
import { ROLES, roleOf } from "./members.tsx";
import { invitationsQuery } from "./queries.ts";
import { teamTexts } from "./texts.ts";

const t = teamTexts.team;
const { columns } = teamTexts;

interface Invited {
  readonly email: string;
  readonly role: TeamRole;
}

/** Invites people to a team, and shows who was invited and has not accepted yet. Only for admins. */
export function TeamInvitations({ teamId }: { readonly teamId: string }) {
  const queries = useQueryClient();
  const list = useInfiniteQuery(invitationsQuery(teamId));
  const [written, setWritten] = useState("");
  const [role, setRole] = useState<TeamRole>("member");
  const [said, setSaid] = useState<{ readonly email: string; readonly text: string; readonly isSent: boolean } | null>(
    null,
  );
  const reload = () => queries.invalidateQueries({ queryKey: invitationsQuery(teamId).queryKey });
  const begin = () => {
    setSaid(null);
    for (const change of [invite, withdraw]) if (change.isError) change.reset();
  };
  const invite = useMutation({
    mutationFn: (body: Invited) => api.inviteToTeam({ params: { teamId }, body }),
    onMutate: begin,
    onSuccess: ({ status, data: { invitation } }) => {
      const { email } = invitation;
      setSaid({ email, text: (status === 201 ? t.sent : t.resent)(email), isSent: true });
      setWritten("");
    },
    onSettled: reload,
  });
  const withdraw = useMutation({
    mutationFn: ({ id }: TeamInvitation) => api.withdrawTeamInvitation({ params: { teamId, invitationId: id } }),
    onMutate: begin,
    onSuccess: (_, { email }) => setSaid({ email, text: t.withdrawn(email), isSent: false }),
    onSettled: reload,
  });
  const { email: fault } = faultsByField(invite.error);
  const failed = invite.error ?? withdraw.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ email: written, role });
  };
  const invitations = list.data?.pages.flatMap((page) => page.invitations) ?? [];
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
            onChange={(next) => {
              setWritten(next);
              if (invite.isError) invite.reset();
            }}
          />
          <NativeSelect
            label={t.role}
            data={ROLES}
            value={role}
            onChange={({ currentTarget: { value } }) => setRole(roleOf(value))}
          />
          <Button type="submit" loading={invite.isPending} disabled={written.trim() === ""}>
            {inviteAction}
          </Button>
        </div>
        <LoadFailure query={list} />
        {failed !== null && fault === undefined && <Notice kind="bad">{failureText(failed)}</Notice>}
        {said?.isSent && <InvitedNotice email={said.email} path={`/teams/${teamId}/invitation`} sent={said.text} />}
        {said && !said.isSent && <Notice kind="info">{said.text}</Notice>}
      </form>
      {invitations.length > 0 && (
        <section aria-label={t.pending} className={styles.list}>
          <h2>{t.pending}</h2>
          <table className={table.table}>
            <TableHead columns={[columns.person, columns.role, columns.status]} actions={columns.actions} />
            <tbody>
              {invitations.map((invitation) => (
                <tr key={invitation.id}>
                  <td className={table.main}>
                    <Person name={invitation.email} />
                  </td>
                  <td data-label={columns.role}>{teamTexts.roles[invitation.role]}</td>
                  <td className={table.short} data-label={columns.status}>
                    <Status invitation={invitation} />
                  </td>
                  <td className={table.actions}>
                    <Menu label={t.menu(invitation.email)} button={<IconMore />}>
                      <MenuItem onChoose={() => invite.mutate({ email: invitation.email, role: invitation.role })}>
                        {t.resend}
                      </MenuItem>
                      <MenuItem onChoose={() => withdraw.mutate(invitation)}>{t.withdraw}</MenuItem>
                    </Menu>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {list.hasNextPage && <MoreRows counted={t.invitationsCounted(invitations.length)} list={list} />}
        </section>
      )}
    </>
  );
}

function Status({ invitation: { status, sentAt, expiresAt } }: { readonly invitation: TeamInvitation }) {
  if (status === "expired") return t.expired;
  return (
    <>
      {t.invited} <Ago at={sentAt} />, {t.until} {formatDay(expiresAt)}
    </>
  );
}
