import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Suggestion, SuggestionVerdict } from "../../../../../contract/endpoints/suggestions.ts";
import { updateOption } from "../../../../../domain/tree/edit/edit-options.ts";
import { evaluate } from "../../../../../domain/tree/hours/evaluate.ts";
import { rollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import type { Option, ThreePoint, Tree } from "../../../../../domain/tree/shape.ts";
import { walk } from "../../../../../domain/tree/shape.ts";
import { api } from "../../../api/client.ts";
import { failureText, NotSaved } from "../../../api/failure.ts";
import { keys } from "../../../api/keys.ts";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { formatExactHours, formatHours, formatPercent } from "../../../ui/numbers/format.ts";
import { NumberFault, type Refused, refusedOf } from "../../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../../ui/numbers/pasted.ts";
import type { Typed } from "../../../ui/numbers/read-number.ts";
import { fieldPoints } from "../../../ui/numbers/three-points.ts";
import { TextButton } from "../../../ui/text-button.tsx";
import { readPoints } from "../outline/read-points.ts";
import type { Own } from "../sync/content.ts";
import { type Edit, inTurn } from "../sync/edits.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { EvidenceCurve } from "./evidence-curve.tsx";
import { panelTexts } from "./panel-texts.ts";
import { pointsFor } from "./suggested-points.ts";
import styles from "./suggestion-panel.module.css";

const t = panelTexts.suggestion;
const rungs: Readonly<Record<number, string>> = t.rungs;

interface PanelProps {
  readonly estimationId: string;
  readonly tree: Tree;
  readonly own: Own;
  readonly sync: TreeSync;
  readonly canEdit: boolean;
  readonly onGoTo: (id: string) => void;
}

/** Hours suggested from similar finished work, which change nothing until they are accepted. */
export function SuggestionPanel({ estimationId, canEdit, sync, ...shown }: PanelProps) {
  const query = useQuery({
    queryKey: keys.suggestion(estimationId),
    queryFn: async () => {
      // It is about the state on the server.
      if (canEdit) await sync.savedRevision();
      return (await api.getSuggestion({ params: { id: estimationId } })).data;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [said, setSaid] = useState<string | null>(null);
  const again = (
    <Button variant="default" onClick={() => void query.refetch()}>
      {t.again}
    </Button>
  );
  if (query.isFetching) return <p className="muted">{t.loading}</p>;
  if (query.error)
    return (
      <Notice kind="bad" action={again}>
        {failureText(query.error)}
      </Notice>
    );
  if (said !== null)
    return (
      <div className={styles.suggestion}>
        <Notice kind="info">{said}</Notice>
        <Button
          variant="default"
          onClick={() => {
            setSaid(null);
            void query.refetch();
          }}
        >
          {t.again}
        </Button>
      </div>
    );
  if (!query.data) return null;
  const { suggestion, receipt } = query.data;
  if (receipt === null)
    return (
      <div className={styles.suggestion}>
        <h2>{t.none}</h2>
        {suggestion.reason && <p>{t.reasons[suggestion.reason]}</p>}
        {again}
      </div>
    );
  return (
    <Proposal
      key={suggestion.inputHash}
      {...shown}
      estimationId={estimationId}
      suggestion={suggestion}
      receipt={receipt}
      sync={canEdit ? sync : null}
      onSaid={setSaid}
    />
  );
}

interface ProposalProps {
  readonly estimationId: string;
  readonly tree: Tree;
  readonly own: Own;
  readonly suggestion: Suggestion;
  /** To send with the verdict. */
  readonly receipt: string;
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly onSaid: (text: string) => void;
  readonly onGoTo: (id: string) => void;
}

/** One line of the proposal: an option with hours to take, as they were typed. */
interface Line {
  readonly option: Option;
  /** How often it is done, with what is above it: the hours are for one. */
  readonly quantity: number;
  readonly current: number | null;
  readonly points: ThreePoint;
}

function Proposal({ estimationId, tree, own, suggestion, receipt, sync, onSaid, onGoTo }: ProposalProps) {
  const { hours, current, evidence, rung, warnings } = suggestion;
  const [lines] = useState(() => linesOf(tree, suggestion));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState<Readonly<Record<string, Typed>>>({});
  const [fault, setFault] = useState<string | null>(null);
  const now = useMemo(() => rollUp(tree, own), [tree, own]);
  const taken = lines.filter(({ option }) => !left.has(option.id));
  const read = useMemo(() => readLines(taken, typed), [taken, typed]);
  const then = useMemo(() => {
    const outcome = read.ok ? takeHours(read.hours)(tree) : null;
    return outcome?.ok ? rollUp(outcome.tree, own) : null;
  }, [read, tree, own]);
  const judge = useMutation({
    mutationFn: async (verdict: SuggestionVerdict) => {
      // Where nothing can be saved now, or these hours cannot, nothing is accepted.
      await sync?.savedRevision();
      const change = verdict === "accepted" && read.ok ? takeHours(read.hours) : null;
      const refusal = change && sync?.refusalOf(change);
      if (refusal) throw new NotSaved(refusal);
      const refused = change && sync?.edit(change);
      if (refused) throw new NotSaved(refused);
      await sync?.savedRevision();
      // Only what was saved counts as accepted.
      const hours = verdict === "accepted" && then ? Math.round(then.p50 * 100) / 100 : null;
      await api.giveSuggestionFeedback({ params: { id: estimationId }, body: { receipt, verdict, hours } });
      return change === null ? t.dismissed : t.accepted;
    },
    onMutate: () => setFault(null),
    onSuccess: onSaid,
    onError: (error) => setFault(failureText(error)),
  });
  return (
    <div className={styles.suggestion}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t.columns.now}</th>
            <th scope="col">{t.columns.suggested}</th>
          </tr>
        </thead>
        <tbody>
          {(["p50", "p80", "p90"] as const).map((name) => (
            <tr key={name}>
              <th scope="row">{name.toUpperCase()}</th>
              <td>{formatHours(current[name])}</td>
              <td>
                <strong>{formatHours((taken.length > 0 && then ? then : hours)?.[name] ?? 0)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hours && <EvidenceCurve now={now} suggested={hours} />}
      <p>
        {rungs[rung]} {rung > 1 && t.evidence(evidence.n)}
        {evidence.n > 0 && (
          <>
            {" "}
            <Link to="/accuracy">{t.accuracy}</Link>
          </>
        )}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {t.warnings[warning]}
        </p>
      ))}
      {evidence.analogs.length > 0 && (
        <>
          <h2>{t.analogs}</h2>
          <table className={styles.analogs}>
            <thead>
              <tr>
                <td />
                <th scope="col">{t.similarity}</th>
                <th scope="col">{t.estimated}</th>
                <th scope="col">{t.actual}</th>
              </tr>
            </thead>
            <tbody>
              {evidence.analogs.map(({ taskId, title, similarity, estimatedHours, actualHours }) => (
                <tr key={taskId}>
                  <th scope="row" data-cut tabIndex={0}>
                    {title ?? t.unnamed}
                  </th>
                  <td>{formatPercent(similarity)}</td>
                  <td>{formatHours(estimatedHours)}</td>
                  <td>{formatHours(actualHours)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {sync && lines.length > 0 && (
        <>
          <h2>{t.options}</h2>
          <ul className={styles.lines}>
            {lines.map(({ option: { id, title }, quantity, current: now, points }) => (
              <li key={id}>
                <input
                  type="checkbox"
                  aria-label={t.take(title)}
                  checked={!left.has(id)}
                  onChange={() =>
                    setLeft(new Set(left.has(id) ? [...left].filter((other) => other !== id) : [...left, id]))
                  }
                />
                <TextButton className={styles.name} data-cut onClick={() => onGoTo(id)}>
                  {title}
                </TextButton>
                <span className="number muted">
                  {now === null ? "–" : formatHours(now)}
                  {quantity !== 1 && ` × ${formatExactHours(quantity)}`}
                </span>
                <Input
                  type="text"
                  className="number"
                  onPaste={pasteApart}
                  aria-label={t.points(title)}
                  value={typed[id]?.text ?? fieldPoints(points)}
                  onChange={(event) => {
                    const isPasted = isPastedIn(event, typed[id]?.isPasted ?? false);
                    setTyped({ ...typed, [id]: { text: event.currentTarget.value, isPasted } });
                  }}
                />
                {!read.ok && read.id === id && (
                  <NumberFault
                    className={styles.fault}
                    text={typed[id]?.text ?? ""}
                    refused={read.fault}
                    onChoose={(text) => setTyped({ ...typed, [id]: { text } })}
                  />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {fault && <Notice kind="bad">{fault}</Notice>}
      {sync && (
        <div className={styles.ends}>
          <Button disabled={!read.ok || taken.length === 0 || judge.isPending} onClick={() => judge.mutate("accepted")}>
            {t.accept(taken.length)}
          </Button>
          <Button variant="default" disabled={judge.isPending} onClick={() => judge.mutate("rejected")}>
            {t.dismiss}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns the options for which there are hours to take. A suggestion is about all that an option is done for; its hours are for one. */
function linesOf(tree: Tree, { perOption }: Suggestion): Line[] {
  const { weights } = evaluate(tree);
  const options = new Map<string, Option>();
  walk(tree.nodes, { option: (option) => void options.set(option.id, option) });
  return perOption.flatMap(({ optionId, hours, current }) => {
    const option = options.get(optionId);
    const weight = weights.get(optionId) ?? 0;
    if (!option || !hours || weight === 0) return [];
    const { p10, p50, p80, p90 } = hours;
    const once = { p10: p10 / weight, p50: p50 / weight, p80: p80 / weight, p90: p90 / weight };
    return [{ option, quantity: weight, current: current && current / weight, points: pointsFor(once) }];
  });
}

type Taken = readonly (readonly [Option, ThreePoint])[];

function readLines(
  lines: readonly Line[],
  typed: Readonly<Record<string, Typed>>,
): { readonly ok: true; readonly hours: Taken } | { readonly ok: false; readonly id: string; readonly fault: Refused } {
  const hours: [Option, ThreePoint][] = [];
  for (const { option, points } of lines) {
    const { id, title } = option;
    const text = typed[id];
    const read = text === undefined ? ({ ok: true, value: { points } } as const) : readPoints(text, "likely", null);
    if (!read.ok) return { ok: false, id, fault: refusedOf(read, t.unreadable(title)) };
    if (read.value === null) return { ok: false, id, fault: t.unreadable(title) };
    hours.push([option, read.value.points]);
  }
  return { ok: true, hours };
}

/** Gives options other hours, as one step. Hours from a template stay beside them. */
const takeHours = (taken: Taken): Edit =>
  inTurn(
    taken.map(
      ([{ id, override, origin }, hours]) =>
        (tree) =>
          updateOption(tree, id, { [override || origin ? "override" : "hours"]: hours }),
    ),
  );
