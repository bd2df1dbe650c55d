import { NativeSelect } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Team, TeamMember } from "../../../../contract/endpoints/teams.ts";
import { type TeamRole, teamRoles } from "../../../../contract/values/team-roles.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { useSession } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { IconMore } from "../../ui/icons.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Person } from "../../ui/person.tsx";
import styles from "../shares/shares.module.css";
import { membersQuery, teamQuery } from "./queries.ts";
import { teamTexts } from "./texts.ts";

const t = teamTexts.team;

/** What a role is called where one is chosen. */
export const ROLES = teamRoles.map((value) => ({ value, label: teamTexts.roles[value] }));

export const roleOf = (value: string): TeamRole => teamRoles.find((known) => known === value) ?? "member";

/** The members of a team. Admins give them roles and remove them. */
export function Members({ team }: { readonly team: Team }) {
  const { id: teamId, role } = team;
  const queries = useQueryClient();
  const session = useSession();
  const list = useInfiniteQuery(membersQuery(teamId));
  const [removing, setRemoving] = useState<TeamMember | null>(null);
  const [asked, setAsked] = useState<{ readonly member: TeamMember; readonly to: TeamRole } | null>(null);
  // The roles decide what the whole page shows.
  const reload = () => queries.invalidateQueries({ queryKey: teamQuery(teamId).queryKey });
  const setRole = useMutation({
    // What is chosen meanwhile is stored afterwards.
    scope: { id: `roles of ${teamId}` },
    mutationFn: ({ member: { userId }, to }: { readonly member: TeamMember; readonly to: TeamRole }) =>
      api.updateTeamMember({ params: { teamId, userId }, body: { role: to } }),
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: ({ userId }: TeamMember) => api.removeTeamMember({ params: { teamId, userId } }),
    onSettled: reload,
  });
  /** Asks before somebody gets everything an admin can do, or gives up the own role, which nobody else may give back. */
  const choose = (member: TeamMember, to: TeamRole) => {
    setRole.reset();
    if (to === "admin" || member.userId === session?.userId) setAsked({ member, to });
    else setRole.mutate({ member, to });
  };
  const members = list.data?.pages.flatMap((page) => page.members) ?? [];
  const isAdmin = role === "admin";
  const { columns } = teamTexts;
  return (
    <section aria-label={t.list} className={styles.list}>
      <h2>{t.list}</h2>
      <LoadFailure query={list} />
      {setRole.isError && asked === null && <Notice kind="bad">{failureText(setRole.error)}</Notice>}
      {list.isPending && <SkeletonRows rows={3} />}
      {list.isSuccess && (
        <table className={table.table}>
          <TableHead
            columns={[columns.person, columns.role, columns.since]}
            {...(isAdmin ? { actions: columns.actions } : {})}
          />
          <tbody>
            {members.map((member) => {
              const { userId, name, email } = member;
              const isSelf = userId === session?.userId;
              const isChanging = setRole.isPending && setRole.variables.member.userId === userId;
              return (
                <tr key={userId}>
                  <td className={table.main}>
                    <Person name={name} /> {isSelf && <span className="muted">({t.you})</span>}
                    <span className={styles.email}>{email}</span>
                  </td>
                  <td {...(isAdmin ? {} : { "data-label": columns.role })}>
                    {isAdmin ? (
                      <NativeSelect
                        className={styles.permission}
                        aria-label={t.roleOf(name)}
                        data={ROLES}
                        value={isChanging ? setRole.variables.to : member.role}
                        onChange={({ currentTarget: { value } }) => choose(member, roleOf(value))}
                      />
                    ) : (
                      teamTexts.roles[member.role]
                    )}
                  </td>
                  <td className={table.short} data-label={columns.since}>
                    <Ago at={member.joinedAt} isStop={!isAdmin} />
                  </td>
                  {isAdmin && (
                    <td className={table.actions}>
                      {!isSelf && (
                        <Menu label={t.menu(name)} button={<IconMore />}>
                          <MenuItem
                            onChoose={() => {
                              remove.reset();
                              setRemoving(member);
                            }}
                          >
                            {t.removeMember}…
                          </MenuItem>
                        </Menu>
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {list.hasNextPage && <MoreRows counted={teamTexts.members(members.length)} list={list} />}
      {asked !== null && (
        <Confirm
          title={asked.to === "admin" ? t.promoteTitle(asked.member.name) : t.stepDownTitle}
          text={asked.to === "admin" ? t.promoteText : t.stepDownText}
          action={asked.to === "admin" ? t.promote : t.stepDown}
          request={setRole}
          onConfirm={() => setRole.mutate(asked, { onSuccess: () => setAsked(null) })}
          onClose={() => setAsked(null)}
        />
      )}
      {removing !== null && (
        <Confirm
          title={t.removeMemberTitle(removing.name)}
          text={t.removeMemberText}
          action={t.removeMember}
          request={remove}
          onConfirm={() => remove.mutate(removing, { onSuccess: () => setRemoving(null) })}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}
