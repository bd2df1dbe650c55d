import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { type SharePermission, sharePermissions } from "../../../../contract/values/share-permissions.ts";
import { api } from "../../api/client.ts";
import { faultsByField } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { PERMISSIONS } from "../shares/invite-form.tsx";
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
  readonly body: { readonly permission: SharePermission } & ({ readonly email: string } | { readonly teamId: string });
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
  const others = chosen.filter(({ access }) => access !== "owner");
  const team = teams.find(({ id }) => id === teamId);
  const { email: fault } = faultsByField(share.outcome?.stoppedBy);
  const isRunning = share.progress !== null;
  const submit = () => {
    if (team) share.start(own, { whom: team.name, body: { teamId: team.id, permission } });
    else if (email.trim() !== "") share.start(own, { whom: email.trim(), body: { email: email.trim(), permission } });
  };
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
