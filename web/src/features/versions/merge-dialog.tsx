import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Merge, Thread } from "../../../../contract/endpoints/threads.ts";
import type { MergeSide } from "../../../../contract/values/merge-conflicts.ts";
import type { Operation } from "../../../../domain/versions/shape.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { MergeChoice } from "./merge-choice.tsx";
import { targetsOf } from "./merge-targets.ts";
import { MergedTree } from "./merged-tree.tsx";
import { dryMergeQuery, treeOfThreadQuery } from "./queries.ts";
import { Refusal } from "./refusal.tsx";
import { versionTexts } from "./texts.ts";
import type { MergeWish } from "./use-history-changes.ts";
import styles from "./versions.module.css";

const t = versionTexts.merge;

interface MergeDialogProps {
  readonly estimation: Estimation;
  readonly from: Thread;
  readonly threads: readonly Thread[];
  readonly request: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void };
  readonly onMerge: (wish: MergeWish) => void;
  readonly onClose: () => void;
}

type Decided = MergeWish["resolutions"];

/** Merges a thread into another one: each conflict is decided by itself, and nothing is stored before all are. */
export function MergeDialog({ estimation, from, threads, request, onMerge, onClose }: MergeDialogProps) {
  const targets = targetsOf(estimation, from, threads);
  const [intoId, setInto] = useState((targets.find(({ current }) => current) ?? targets[0])?.id ?? "");
  const [all, setDecided] = useState<Decided>([]);
  const into = targets.find(({ id }) => id === intoId);
  const dry = useQuery({
    ...dryMergeQuery(estimation.id, { from: from.id, into: intoId, resolutions: all, otherwise: undefined }),
    placeholderData: keepPreviousData,
    enabled: into !== undefined,
  });
  const merge = dry.isPlaceholderData ? undefined : dry.data;
  const conflicts = merge?.conflicts ?? [];
  const [conflict] = conflicts;
  // A decision about values that have changed since decides nothing: its unit is asked about again.
  const decided = all.filter(({ id }) => !conflicts.some((open) => unitOf(open.id) === unitOf(id)));
  const decide = (next: Decided) => {
    request.reset();
    setDecided(next);
  };
  const isSame = merge?.operations?.length === 0 && conflicts.length === 0;
  const cancel = (
    <Button variant="default" onClick={onClose} disabled={request.isPending}>
      {isSame ? uiTexts.close : uiTexts.cancel}
    </Button>
  );
  const back = decided.length > 0 && (
    <Button variant="default" onClick={() => decide(decided.slice(0, -1))} disabled={request.isPending}>
      {t.back}
    </Button>
  );
  return (
    <Dialog title={t.title(from.title)} onClose={onClose} isLocked={request.isPending} look="wide">
      <div className={styles.asked}>
        <Refusal error={request.error} />
        {into && <LoadFailure query={dry} />}
        {!into && request.error === null && <Notice kind="bad">{t.noTarget}</Notice>}
        {((decided.length === 0 && targets.length > 1) || !into) && (
          <NativeSelect
            label={t.into}
            data={[
              ...(into ? [] : [{ value: "", label: "" }]),
              ...targets.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            value={into?.id ?? ""}
            onChange={({ currentTarget: { value } }) => {
              decide([]);
              setInto(value);
            }}
          />
        )}
      </div>
      {(merge === undefined || !into) && (
        <>
          {into && !dry.isError && <p className="muted">{t.loading}</p>}
          <DialogEnd>
            {cancel}
            {back}
          </DialogEnd>
        </>
      )}
      {merge && into && conflict && (
        <MergeChoice
          key={conflict.id}
          estimationId={estimation.id}
          conflict={conflict}
          step={t.step(decided.length + 1, decided.length + conflicts.length)}
          from={from}
          into={into}
          decided={decided}
          onDecide={(side: MergeSide) => decide([...decided, { id: conflict.id, side }])}
          back={
            <>
              {cancel}
              {back}
            </>
          }
        />
      )}
      {merge && into && !conflict && (
        <DialogForm onSubmit={() => onMerge({ from, into, resolutions: decided })}>
          <Outcome estimationId={estimation.id} merge={merge} into={into} />
          <DialogEnd>
            {cancel}
            {back}
            {!isSame && (
              <Button type="submit" loading={request.isPending} autoFocus>
                {t.action}
              </Button>
            )}
          </DialogEnd>
        </DialogForm>
      )}
    </Dialog>
  );
}

/** Returns what a conflict is about: its id without the hash of the values. */
const unitOf = (id: string): string => id.slice(0, id.lastIndexOf("."));

interface OutcomeProps {
  readonly estimationId: string;
  readonly merge: Merge;
  readonly into: Thread;
}

function Outcome({ estimationId, merge, into }: OutcomeProps) {
  const { operations = [], addedTwice = [], expected, p80, tasksAffected } = merge;
  const tree = useQuery(treeOfThreadQuery(estimationId, into));
  if (operations.length === 0) return <p>{t.same(into.title)}</p>;
  return (
    <>
      <p>{t.changes(operations.length, into.title)}</p>
      <LoadFailure query={tree} />
      {tree.data && <MergedTree before={tree.data} operations={operations as Operation[]} />}
      <ul className={styles.outcome}>
        <li>{t.hours("P80", p80.before, p80.after)}</li>
        <li>{t.hours(t.expected, expected.before, expected.after)}</li>
      </ul>
      {addedTwice.length > 0 && (
        <Notice kind="warn">
          {t.twice}
          <ul>
            {addedTwice.map(({ intoId, target, title, hours }) => (
              <li key={intoId}>{t.twiceOne(title, target === "milestone" ? null : hours)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {tasksAffected !== null && tasksAffected > 0 && <p className="muted">{t.tasks(tasksAffected)}</p>}
    </>
  );
}
