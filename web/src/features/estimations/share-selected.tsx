import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { type SharePermission, sharePermissions } from "../../../../contract/values/share-permissions.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField, hasResponse } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { PERMISSIONS } from "../shares/invite-form.tsx";
import { findShare, type Whom } from "../shares/queries.ts";
import { shareTexts } from "../shares/texts.ts";
import { teamsQuery } from "../teams/teams-query.ts";
import { AddressInput } from "../users/address-input.tsx";
import { bulkTexts as t } from "./bulk-texts.ts";
import { EachReport } from "./each-report.tsx";
import { useEach } from "./use-each.ts";

interface ShareSelectedProps {
  /** Those that are selected, of whomever. */
  readonly chosen: readonly Estimation[];
  readonly onClose: () => void;
}

/** With whom, and what they may do. */
interface Given {
  readonly whom: string;
  readonly body: { readonly permission: SharePermission } & Whom;
}

/** What is asked first: of some estimations they have another permission. */
interface Asked {
  readonly given: Given;
  /** Each with the permission there. */
  readonly now: readonly string[];
}

/** Where no team is chosen. */
const PERSON = "";

/** Shares the estimations of the reader among those that are selected with a person or a team. */
export function ShareSelected({ chosen, onClose }: ShareSelectedProps) {
  const teams = (useQuery(teamsQuery).data ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const [teamId, setTeamId] = useState(PERSON);
  const [email, setEmail] = useState("");
  const [permission, setPermission] = useState<SharePermission>("view");
  const share = useEach({
    each: ({ id }, { body }: Given) => api.createShare({ params: { id }, body }),
    changes: [keys.shares],
  });
  const own = chosen.filter(({ access }) => access === "owner");
  const [asked, setAsked] = useState<Asked | null>(null);
  const look = useMutation({
    mutationFn: (given: Given) => otherPermissions(own, given),
    onSuccess: (now, given) => {
      if (now.length > 0) setAsked({ given, now });
      else share.start(own, given);
    },
  });
  const others = chosen.filter(({ access }) => access !== "owner");
  const team = teams.find(({ id }) => id === teamId);
  const { email: fault } = faultsByField(share.outcome?.stoppedBy);
  const isRunning = share.progress !== null || look.isPending;
  const submit = () => {
    if (team) look.mutate({ whom: team.name, body: { teamId: team.id, permission } });
    else if (email.trim() !== "") look.mutate({ whom: email.trim(), body: { email: email.trim(), permission } });
  };
  if (asked)
    return (
      <Confirm
        title={t.changeTitle(asked.now.length)}
        text={t.changeText(asked.given.whom, asked.now, shareTexts.permissions[asked.given.body.permission])}
        action={t.change}
        isDangerous={false}
        request={{ isPending: false, error: null }}
        onConfirm={() => {
          share.start(own, asked.given);
          setAsked(null);
        }}
        onClose={() => setAsked(null)}
      />
    );
  return (
    <Dialog title={t.shareTitle(own.length)} onClose={onClose} isLocked={isRunning}>
      <DialogForm onSubmit={submit}>
        {others.length > 0 && (
          <p className="muted">
            {t.notYours(
              others.length,
              chosen.length,
              others.map(({ title }) => title),
            )}
          </p>
        )}
        {teams.length > 0 && (
          <NativeSelect
            label={t.with}
            data={[{ value: PERSON, label: t.person }, ...teams.map(({ id, name }) => ({ value: id, label: name }))]}
            value={teamId}
            onChange={({ currentTarget: { value } }) => setTeamId(value)}
          />
        )}
        {!team && (
          <AddressInput
            label={t.address}
            description={t.addressHint}
            error={fault}
            value={email}
            onChange={(written) => {
              setEmail(written);
              if (share.outcome) share.reset();
            }}
          />
        )}
        <NativeSelect
          label={t.permission}
          data={PERMISSIONS}
          value={permission}
          onChange={({ currentTarget: { value } }) =>
            setPermission(sharePermissions.find((known) => known === value) ?? "view")
          }
        />
        {look.error !== null && <Notice kind="bad">{failureText(look.error)}</Notice>}
        {fault === undefined && <EachReport run={share} said={({ done }, { whom }) => t.shared(done.length, whom)} />}
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={isRunning}>
            {uiTexts.close}
          </Button>
          <Button type="submit" loading={isRunning} disabled={!team && email.trim() === ""}>
            {t.share}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}

/** Returns those estimations of which they have another permission already, each with it. */
async function otherPermissions(own: readonly Estimation[], { body }: Given): Promise<string[]> {
  const found: string[] = [];
  for (const { id, title } of own) {
    try {
      const share = await findShare(id, body);
      if (share && share.permission !== body.permission)
        found.push(t.now(title, shareTexts.permissions[share.permission]));
    } catch (error) {
      // Gone meanwhile: sharing it says so.
      if (!hasResponse(error) || error.status !== 404) throw error;
    }
  }
  return found;
}
