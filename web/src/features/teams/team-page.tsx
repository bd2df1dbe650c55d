import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { IconMore } from "../../ui/icons.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { PageHead } from "../profile/page-head.tsx";
import styles from "../shares/shares.module.css";
import { TeamInvitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import { membersQuery, teamQuery, teamSharesQuery } from "./queries.ts";
import { type TeamAct, TeamDialogs } from "./team-dialogs.tsx";
import { TeamShares } from "./team-shares.tsx";
import { teamTexts as t } from "./texts.ts";

export const first: First = ({ params: { id } }) => [teamQuery(id), membersQuery(id), teamSharesQuery(id)];

/** A team: its members, for admins its invitations, and what is shared with it. */
export function TeamPage() {
  const { id } = useParams({ from: "/frame/signed-in/teams/$id" });
  const { data: team, error, refetch } = useQuery(teamQuery(id));
  const [asked, setAsked] = useState<TeamAct | null>(null);
  if (team === undefined) {
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={6} />;
  }
  const isAdmin = team.role === "admin";
  return (
    <>
      <PageHead title={team.name} crumb={<Link to="/teams">{t.title}</Link>}>
        <Menu label={t.team.menu(team.name)} button={<IconMore />}>
          {isAdmin && <MenuItem onChoose={() => setAsked("rename")}>{t.rename}…</MenuItem>}
          <MenuItem onChoose={() => setAsked("leave")}>{t.leave}…</MenuItem>
          {isAdmin && <MenuItem onChoose={() => setAsked("remove")}>{t.remove}…</MenuItem>}
        </Menu>
      </PageHead>
      <div className={`${styles.page} ${styles.below}`}>
        {isAdmin && <TeamInvitations teamId={id} />}
        <Members team={team} />
        <TeamShares teamId={id} isAdmin={isAdmin} />
      </div>
      {asked !== null && <TeamDialogs team={team} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
