import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Share } from "../../../../contract/endpoints/shares.ts";
import { type SharePermission, sharePermissions } from "../../../../contract/values/share-permissions.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { Notice } from "../../ui/notice.tsx";
import { teamsQuery } from "../teams/teams-query.ts";
import { PERMISSIONS } from "./invite-form.tsx";
import { sharesQuery } from "./queries.ts";
import styles from "./shares.module.css";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shares;

interface TeamFormProps {
  readonly estimationId: string;
  readonly shares: readonly Share[];
}

/** Shares with one of the reader's teams that has no access yet; nothing if there is none. */
export function TeamForm({ estimationId: id, shares }: TeamFormProps) {
  const queries = useQueryClient();
  const teams = useQuery(teamsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const [permission, setPermission] = useState<SharePermission>("view");
  const share = useMutation({
    mutationFn: (teamId: string) => api.createShare({ params: { id }, body: { teamId, permission } }),
    onSuccess: () => setChosen(null),
    onSettled: () => queries.invalidateQueries({ queryKey: sharesQuery(id).queryKey }),
  });
  const has = new Set(shares.map(({ team }) => team?.id));
  const others = (teams.data ?? [])
    .filter((team) => !has.has(team.id))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const [first] = others;
  if (first === undefined) return null;
  const teamId = others.find((team) => team.id === chosen)?.id ?? first.id;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    share.mutate(teamId);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.fields}>
        <NativeSelect
          className={styles.address}
          label={t.withTeam}
          data={others.map(({ id: value, name }) => ({ value, label: name }))}
          value={teamId}
          onChange={({ currentTarget: { value } }) => setChosen(value)}
        />
        <NativeSelect
          label={t.teamPermission}
          data={PERMISSIONS}
          value={permission}
          onChange={({ currentTarget: { value } }) =>
            setPermission(sharePermissions.find((known) => known === value) ?? "view")
          }
        />
        <Button type="submit" variant="default" loading={share.isPending}>
          {t.teamAction}
        </Button>
      </div>
      {share.isError && <Notice kind="bad">{failureText(share.error)}</Notice>}
    </form>
  );
}
