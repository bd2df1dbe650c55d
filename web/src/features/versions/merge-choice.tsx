import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Thread } from "../../../../contract/endpoints/threads.ts";
import type { MergeConflict, MergeSide } from "../../../../contract/values/merge-conflicts.ts";
import { sides } from "../../../../domain/merge/shape.ts";
import type { Operation } from "../../../../domain/versions/shape.ts";
import { DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Delta } from "../../ui/numbers/delta.tsx";
import { titlesOf } from "../trees/marked/marked-tree.ts";
import { markedTexts } from "../trees/marked/texts.ts";
import { conflictText, sideText, thingsText } from "./merge-values.ts";
import { MergedTree } from "./merged-tree.tsx";
import { dryMergeQuery, treeOfThreadQuery, treesQuery } from "./queries.ts";
import { versionTexts } from "./texts.ts";
import type { MergeWish } from "./use-history-changes.ts";
import styles from "./versions.module.css";

const t = versionTexts.merge;

interface MergeChoiceProps {
  readonly estimationId: string;
  readonly conflict: MergeConflict;
  readonly step: string;
  readonly from: Thread;
  readonly into: Thread;
  /** What was decided before. */
  readonly decided: MergeWish["resolutions"];
  readonly onDecide: (side: MergeSide) => void;
  /** The buttons before "Next". */
  readonly back: ReactNode;
}

/** One conflict of a merge: both values, and what each makes of the P80. */
export function MergeChoice({ estimationId, conflict, step, from, into, decided, onDecide, back }: MergeChoiceProps) {
  const [side, setSide] = useState<MergeSide | null>(null);
  const trees = useQuery(treesQuery(estimationId, [from.headVersionId, into.headVersionId]));
  const titles = titlesOf(...(trees.data ?? []));
  const titleOf = (thing: string) => titles.get(thing) ?? t.unknown;
  const { kind, field, thingId, title, target, base, rule, things } = conflict;
  const path = titles.get(thingId ?? "") ?? title;
  const threads = { from, into };
  return (
    <DialogForm onSubmit={() => side && onDecide(side)}>
      <p className="muted" role="status">
        {step}
      </p>
      <fieldset className={styles.conflict}>
        <legend>
          {path ?? (target === "setting" ? t.settings : t.wholeTree)}
          {field !== null && <span className="muted"> · {markedTexts.field(field)}</span>}
        </legend>
        <p className="muted">
          {rule ? `${t.kinds[kind]}: ${t.rules[rule.code] ?? rule.message}` : t.kinds[kind]}
          {kind === "removed" && things.length > 0 && `. ${t.with(thingsText(things, titleOf))}`}
        </p>
        {kind === "changed" && (
          <p className="muted">
            {t.before}: {conflictText(conflict, base, titleOf)}
          </p>
        )}
        {sides.map((one) => (
          <label key={one} className={styles.side}>
            <input
              type="radio"
              name="side"
              required
              checked={side === one}
              onChange={() => setSide(one)}
              // biome-ignore lint/a11y/noAutofocus: each decision is made from here with the keyboard
              autoFocus={one === "into"}
            />
            <span>
              <strong>{threads[one].title}</strong>: {sideText(conflict, one, titleOf)}
            </span>
            <P80 {...{ estimationId, from, into, resolutions: [...decided, { id: conflict.id, side: one }] }} />
          </label>
        ))}
      </fieldset>
      <Effect {...{ estimationId, from, into, resolutions: [...decided, { id: conflict.id, side: side ?? "into" }] }} />
      <DialogEnd>
        {back}
        <Button type="submit" disabled={side === null}>
          {t.next}
        </Button>
      </DialogEnd>
    </DialogForm>
  );
}

/** What the merge would change with the decisions so far, in the tree. */
function Effect({ estimationId, from, into, resolutions }: P80Props) {
  const wish = { from: from.id, into: into.id, resolutions, otherwise: "into" as const };
  const { data } = useQuery({ ...dryMergeQuery(estimationId, wish), placeholderData: keepPreviousData });
  const tree = useQuery(treeOfThreadQuery(estimationId, into));
  const operations = (data?.operations ?? []) as Operation[];
  return tree.data && operations.length > 0 ? <MergedTree before={tree.data} operations={operations} isSmall /> : null;
}

interface P80Props extends Pick<MergeChoiceProps, "estimationId" | "from" | "into"> {
  readonly resolutions: MergeWish["resolutions"];
}

/** The P80 of the whole with this decision, and by how much that changes it, where all later ones keep what is there. */
function P80({ estimationId, from, into, resolutions }: P80Props) {
  const wish = { from: from.id, into: into.id, resolutions, otherwise: "into" as const };
  const { data } = useQuery(dryMergeQuery(estimationId, wish));
  return (
    <span className={styles.p80}>
      {data && (
        <>
          {t.p80(data.p80.after)} <Delta hours={data.p80.after - data.p80.before} />
        </>
      )}
    </span>
  );
}
