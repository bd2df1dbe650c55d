import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useMemo, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { estimatesNeeded } from "../../../../contract/values/round-statuses.ts";
import { driversOf } from "../../../../domain/rounds/options.ts";
import type { RollUp } from "../../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { api } from "../../api/client.ts";
import { faultOf, faultsByField, isRefusal } from "../../api/failure.ts";
import { useSession } from "../../api/session.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { localMinute } from "../../ui/numbers/format.ts";
import { uiTexts } from "../../ui/texts.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { useColleagues } from "../reviews/use-colleagues.ts";
import { candidatesOf } from "./candidates.ts";
import styles from "./open-dialog.module.css";
import { OptionsField } from "./options-field.tsx";
import { PeopleField } from "./people-field.tsx";
import { reloadRounds, roundQuery } from "./queries.ts";
import { refusalText } from "./refusal-text.ts";
import { roundTexts } from "./texts.ts";

const t = roundTexts.open;

interface DialogProps {
  readonly estimationId: string;
  readonly tree: Tree;
  readonly uncertainty: RollUp["uncertainty"];
  /** The options that are chosen at first; none: those that make the total most uncertain. */
  readonly optionIds?: readonly string[];
  /** Returns the revision that the reader looks at, once it is saved. */
  readonly revision: () => Promise<string>;
  /** Loads what somebody else changed meanwhile. */
  readonly catchUp: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks people to estimate together: what, who, until when. Leads to the page of the round. */
export function OpenDialog({ estimationId: id, tree, uncertainty, optionIds = [], ...on }: DialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const session = useSession();
  const me = session ? [{ id: session.userId, name: session.name }] : [];
  const known = [...me, ...useColleagues(id, true)];
  const candidates = useMemo(() => candidatesOf(tree, uncertainty), [tree, uncertainty]);
  const drivers = useMemo(() => driversOf(uncertainty).slice(0, limits.roundOptions), [uncertainty]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(optionIds.length > 0 ? optionIds : drivers));
  const [added, setPeople] = useState<readonly string[]>([]);
  const [written, setWritten] = useState("");
  const formId = useId();
  // Who wrote an address and did not press "Add" means it all the same.
  const address = written.trim().toLowerCase();
  const people = address.includes("@") && !added.includes(address) ? [...added, address] : added;
  const [isAnonymous, setAnonymous] = useState(false);
  const open = useMutation({
    mutationFn: async (fields: FormData) => {
      const text = (name: string) => String(fields.get(name) ?? "").trim();
      const deadline = text("deadline");
      const body = {
        ...(text("title") !== "" && { title: text("title") }),
        optionIds: candidates.filter((one) => chosen.has(one.id)).map((one) => one.id),
        participants: [...people],
        ...(deadline !== "" && { deadline: new Date(deadline).toISOString() }),
        anonymous: isAnonymous,
      };
      const headers = { "if-match": await on.revision() };
      return (await api.openRound({ params: { id }, headers, body })).data.round;
    },
    onSuccess: async (round) => {
      queries.setQueryData(roundQuery(id, round.id).queryKey, round);
      void reloadRounds(queries, id);
      void queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey });
      on.onClose();
      await navigate({ to: "/estimations/$id/rounds/$roundId", params: { id, roundId: round.id } });
    },
    onError: async (error) => {
      if (!isRefusal(error, "revision_mismatch")) return;
      await Promise.all([queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey }), on.catchUp()]);
    },
  });
  const faults = faultsByField(open.error);
  const [, who] = /^\/participants\/(\d+)/.exec(faultOf(open.error)?.path ?? "") ?? [];
  const isPlaced = faults.participants !== undefined || faults.deadline !== undefined || faults.title !== undefined;
  const least = isAnonymous ? estimatesNeeded.anonymous : estimatesNeeded.named;
  // Others may have deleted some meanwhile.
  const here = candidates.filter((one) => chosen.has(one.id)).length;
  const canOpen = people.length >= least && here > 0 && here <= limits.roundOptions;
  return (
    <Dialog title={roundTexts.together} onClose={on.onClose}>
      {/* Its field and its button stand in the other one. */}
      <form
        id={formId}
        hidden
        onSubmit={(event) => {
          event.preventDefault();
          setPeople(people);
          if (people !== added) setWritten("");
        }}
      />
      <DialogForm onSubmit={(fields) => canOpen && open.mutate(fields)}>
        <p className="muted">{t.intro}</p>
        <OptionsField candidates={candidates} drivers={drivers} chosen={chosen} onChange={setChosen} />
        <PeopleField
          known={known}
          userId={session?.userId ?? ""}
          chosen={added}
          onChange={setPeople}
          written={written}
          onWritten={setWritten}
          formId={formId}
          error={
            who === undefined ? faults.participants : t.refused(people[Number(who)] ?? "", faults.participants ?? "")
          }
        />
        <div className={styles.row}>
          <TextInput
            name="deadline"
            type="datetime-local"
            label={t.deadline}
            description={t.deadlineHint}
            min={localMinute(Date.now())}
            max={localMinute(Date.now() + limits.roundDays * 86_400_000)}
            error={faults.deadline && t.pastDeadline}
          />
          <TextInput
            name="title"
            label={t.title}
            description={t.titleHint}
            maxLength={limits.titleLength}
            error={faults.title}
          />
        </div>
        <Checkbox
          label={t.anonymous}
          description={t.anonymousHint}
          checked={isAnonymous}
          onChange={({ currentTarget }) => setAnonymous(currentTarget.checked)}
        />
        {open.isError && !isPlaced && (
          <Notice kind="bad">{isRefusal(open.error, "revision_mismatch") ? t.stale : refusalText(open.error)}</Notice>
        )}
        {people.length < least && <p className="muted">{t.tooFew(least)}</p>}
        {here > limits.roundOptions && <p className="muted">{t.tooMany(limits.roundOptions)}</p>}
        <DialogEnd>
          <Button variant="default" onClick={on.onClose}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={open.isPending} disabled={!canOpen}>
            {t.ask(people.length)}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
