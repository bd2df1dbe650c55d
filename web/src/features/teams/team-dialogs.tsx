import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Team } from "../../../../contract/endpoints/teams.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { teamQuery } from "./queries.ts";
import { teamTexts as t } from "./texts.ts";

/** What can be done with a team as a whole. */
export type TeamAct = "rename" | "leave" | "remove";

interface TeamDialogsProps {
  readonly team: Team;
  readonly asked: TeamAct;
  readonly onClose: () => void;
}

/** Asks before something is done with a team as a whole. */
export function TeamDialogs({ team, asked, onClose }: TeamDialogsProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const session = useSession();
  const params = { teamId: team.id };
  const changed = () => queries.invalidateQueries({ queryKey: keys.teams });
  const rename = useMutation({
    mutationFn: async (name: string) => (await api.updateTeam({ params, body: { name } })).data.team,
    onSuccess: (renamed) => {
      queries.setQueryData(teamQuery(team.id).queryKey, renamed);
      void changed();
      onClose();
    },
  });
  /** Leaves the page first, because it would show an error. */
  const gone = async () => {
    await navigate({ to: "/teams" });
    queries.removeQueries({ queryKey: teamQuery(team.id).queryKey });
    void changed();
    void queries.invalidateQueries({ queryKey: keys.estimations });
    void queries.invalidateQueries({ queryKey: keys.me });
  };
  const leave = useMutation({
    mutationFn: () => api.removeTeamMember({ params: { ...params, userId: session?.userId ?? "" } }),
    onSuccess: gone,
  });
  const remove = useMutation({ mutationFn: () => api.deleteTeam({ params }), onSuccess: gone });
  if (asked === "rename") {
    return (
      <NameDialog
        title={t.renameTitle}
        action={t.rename}
        name={team.name}
        request={rename}
        onSubmit={(name) => rename.mutate(name)}
        onClose={onClose}
      />
    );
  }
  const isLeaving = asked === "leave";
  const request = isLeaving ? leave : remove;
  return (
    <Confirm
      title={(isLeaving ? t.leaveTitle : t.removeTitle)(team.name)}
      text={isLeaving ? t.leaveText : t.removeText}
      action={isLeaving ? t.leave : t.remove}
      request={request}
      onConfirm={() => request.mutate()}
      onClose={onClose}
    />
  );
}
