import { NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { User } from "../../../../contract/endpoints/auth.ts";
import { sharePermissions } from "../../../../contract/values/share-permissions.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { Notice } from "../../ui/notice.tsx";
import { SavedMark } from "../../ui/saved-mark.tsx";
import { teamsQuery } from "../teams/teams-query.ts";
import { meQuery } from "./queries.ts";
import styles from "./security-page.module.css";
import { securityTexts } from "./texts.ts";

const t = securityTexts;
const PERMISSIONS = sharePermissions.map((value) => ({ value, label: t.permissions[value] }));

type Default = Pick<User, "defaultTeamId" | "defaultPermission">;

/** Chooses the team that the reader's new estimations are shared with. A choice is stored at once. */
export function DefaultTeamForm({ user }: { readonly user: User }) {
  const queries = useQueryClient();
  const teams = useQuery(teamsQuery);
  const change = useMutation({
    // What is chosen meanwhile is stored afterwards.
    scope: { id: "default team" },
    mutationFn: async (body: Default) => (await api.updateCurrentUser({ body })).data.user,
    onSuccess: (changed) => queries.setQueryData(meQuery.queryKey, changed),
  });
  const { defaultTeamId, defaultPermission } = change.isPending ? change.variables : user;
  const choose = (chosen: Partial<Default>) => change.mutate({ defaultTeamId, defaultPermission, ...chosen });
  const options = (teams.data ?? [])
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ id: value, name: label }) => ({ value, label }));
  return (
    <div className={styles.form}>
      {change.isError && <Notice kind="bad">{failureText(change.error)}</Notice>}
      <NativeSelect
        label={t.defaultTeam}
        data={[{ value: "", label: t.noTeam }, ...options]}
        value={defaultTeamId ?? ""}
        disabled={teams.isPending}
        onChange={({ currentTarget: { value } }) => choose({ defaultTeamId: value === "" ? null : value })}
      />
      {defaultTeamId !== null && (
        <NativeSelect
          label={t.defaultPermission}
          data={PERMISSIONS}
          value={defaultPermission}
          onChange={({ currentTarget: { value } }) =>
            choose({ defaultPermission: sharePermissions.find((known) => known === value) ?? "view" })
          }
        />
      )}
      <div className={styles.end}>
        <SavedMark isShown={change.isSuccess} />
      </div>
    </div>
  );
}
