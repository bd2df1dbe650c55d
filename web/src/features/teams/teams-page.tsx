import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Team, TeamInvitation } from "../../../../contract/endpoints/teams.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import type { First } from "../../app/first.ts";
import { IconPlus } from "../../ui/icons.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { PageHead } from "../profile/page-head.tsx";
import { isUnverified } from "../shares/shared-page.tsx";
import styles from "../shares/shares.module.css";
import { NameDialog } from "./name-dialog.tsx";
import { myInvitationsQuery } from "./queries.ts";
import { teamsQuery } from "./teams-query.ts";
import { teamTexts as t } from "./texts.ts";
import { Unverified } from "./unverified.tsx";
import { useAnswer } from "./use-answer.ts";

export const first: First = () => [teamsQuery, myInvitationsQuery];

/** The reader's teams, and invitations to others. */
export function TeamsPage() {
  useTitle(t.title);
  const teams = useQuery(teamsQuery);
  const invitations = useQuery({ ...myInvitationsQuery, retry: (count, error) => count < 2 && !isUnverified(error) });
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button leftSection={<IconPlus />} onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );
  const dialog = isCreating && <CreateDialog onClose={() => setCreating(false)} />;
  if (isUnverified(invitations.error) && teams.data?.length === 0) return <Unverified query={invitations} />;
  const invited = invitations.data ?? [];
  if (teams.data?.length === 0 && invitations.isSuccess && invited.length === 0) {
    return (
      <>
        <Message title={t.emptyTitle} text={t.intro}>
          {create}
        </Message>
        {dialog}
      </>
    );
  }
  return (
    <>
      <PageHead title={t.title} intro={t.intro}>
        {create}
      </PageHead>
      <div className={styles.page}>
        <LoadFailure query={teams} />
        {invited.length > 0 && <Invitations invitations={invited} />}
        {teams.isPending && <SkeletonRows rows={4} />}
        {teams.data !== undefined && teams.data.length > 0 && <Teams teams={teams.data} />}
      </div>
      {dialog}
    </>
  );
}

const byName = (a: Team, b: Team) => a.name.localeCompare(b.name);

const Teams = ({ teams }: { readonly teams: readonly Team[] }) => (
  <section aria-label={t.yours} className={styles.list}>
    <h2>{t.yours}</h2>
    <table className={table.table}>
      <TableHead columns={[t.columns.team, t.columns.role, t.columns.members]} />
      <tbody>
        {teams.toSorted(byName).map(({ id, name, role, memberCount }) => (
          <tr key={id}>
            <td className={table.main}>
              <Link to="/teams/$id" params={{ id }}>
                {name}
              </Link>
            </td>
            <td data-label={t.columns.role}>{t.roles[role]}</td>
            <td data-label={t.columns.members}>{memberCount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

function Invitations({ invitations }: { readonly invitations: readonly TeamInvitation[] }) {
  const answer = useAnswer();
  const isBusy = (invitation: TeamInvitation, what: "accept" | "decline") =>
    answer.isPending && answer.variables.invitation.id === invitation.id && answer.variables.what === what;
  return (
    <section aria-label={t.invitations} className={styles.list}>
      <h2>{t.invitations}</h2>
      {answer.isError && <Notice kind="bad">{failureText(answer.error)}</Notice>}
      <table className={table.table}>
        <TableHead
          columns={[t.columns.team, t.columns.from, t.columns.role, t.columns.since]}
          actions={t.columns.actions}
        />
        <tbody>
          {invitations.map((invitation) => (
            <tr key={invitation.id}>
              <td className={table.main}>{invitation.teamName}</td>
              <td data-label={t.columns.from}>{invitation.inviterName}</td>
              <td data-label={t.columns.role}>{t.roles[invitation.role]}</td>
              <td data-label={t.columns.since}>
                <Ago at={invitation.sentAt} />
              </td>
              <td className={table.actions}>
                <span className={styles.buttons}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t.declineOf(invitation.teamName)}
                    loading={isBusy(invitation, "decline")}
                    onClick={() => answer.mutate({ invitation, what: "decline" })}
                  >
                    {t.decline}
                  </Button>
                  <Button
                    size="compact-sm"
                    aria-label={t.acceptOf(invitation.teamName)}
                    loading={isBusy(invitation, "accept")}
                    onClick={() => answer.mutate({ invitation, what: "accept" })}
                  >
                    {t.accept}
                  </Button>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async (name: string) => (await api.createTeam({ body: { name } })).data.team,
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.teams });
      await navigate({ to: "/teams/$id", params: { id } });
    },
  });
  return (
    <NameDialog
      title={t.create}
      action={t.createAction}
      request={create}
      onSubmit={(name) => create.mutate(name)}
      onClose={onClose}
    />
  );
}
