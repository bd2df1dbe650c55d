import { useId } from "react";
import type { AdoptedHours, RoundEstimate, RoundOption } from "../../../../contract/values/round.ts";
import { meanOf } from "../../../../domain/tree/hours/distribution.ts";
import { described, hinted } from "../../ui/hinted.ts";
import { IconCheck } from "../../ui/icons.tsx";
import { formatExactHours } from "../../ui/numbers/format.ts";
import { Person } from "../../ui/person.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { pointsText } from "../trees/marked/value-text.ts";
import { type RangeRow, RangesTable } from "./ranges-table.tsx";
import styles from "./reveal-view.module.css";
import { roundTexts } from "./texts.ts";

const t = roundTexts.reveal;

interface OptionProps {
  readonly option: RoundOption;
  readonly userId: string;
  /** Whether somebody said why, of any option: all have the same columns. */
  readonly hasNotes: boolean;
  /** What the option has from this round; undefined for nothing. */
  readonly adopted: AdoptedHours | undefined;
  /** Null where nothing can be adopted. */
  readonly onAdopt: ((from: string) => void) | null;
}

/** An option with what everybody said of it, who is to be asked first, and what they say together. */
export function RevealedOption({ option, userId, hasNotes, adopted, onAdopt }: OptionProps) {
  const { title, path, quantity, unit, hours, result } = option;
  const headId = useId();
  if (!result) return null;
  const { agreement, disagrees, skipped, pool, median } = result;
  const estimates = result.estimates.toSorted((one, other) => meanOf(one) - meanOf(other));
  const nameOf = ({ person }: RoundEstimate, at: number) => person?.name ?? t.unnamed(at + 1);
  const action = (from: string, what: string, isAdopted: boolean) =>
    isAdopted ? (
      <span className={styles.adopted}>
        <IconCheck size={14} /> {t.adopted}
      </span>
    ) : (
      onAdopt && (
        <TextButton aria-label={t.adoptLong(what, title)} onClick={() => onAdopt(from)}>
          {t.adopt}
        </TextButton>
      )
    );
  const isAdopted = (from: AdoptedHours["from"], points: RoundEstimate | null = null) =>
    adopted?.from === from && (points === null || pointsText(points) === pointsText(adopted.hours));
  const sums = [
    ["pool", pool?.hours, t.pool, t.poolHint],
    ["median", median, t.median, t.medianHint],
  ] as const;
  const rows: RangeRow[] = [
    ...estimates.map((estimate, at): RangeRow => {
      const name = nameOf(estimate, at);
      const { id, person, note, isOutlier } = estimate;
      return {
        ...{ key: id, points: estimate, note, kind: isOutlier ? "outlier" : "person" },
        who: person ? <Person name={name}>{person.id === userId ? t.you(name) : name}</Person> : name,
        action: action(id, name, isAdopted("estimate", estimate)),
      };
    }),
    ...sums.flatMap(([key, points, name, hint]): RangeRow[] =>
      points
        ? [
            {
              ...{ key, points, note: null, kind: "sum" },
              who: <strong {...(onAdopt ? described : hinted)(hint)}>{name}</strong>,
              action: action(key, name, isAdopted(key)),
            },
          ]
        : [],
    ),
  ];
  if (hours) rows.push({ key: "before", who: t.before, points: hours, note: null, kind: "before", action: null });
  const outliers = estimates.flatMap((estimate, at) => (estimate.isOutlier ? [{ estimate, at }] : []));
  return (
    <article className={styles.option} aria-labelledby={headId}>
      <p className="muted">{path.join(" › ")}</p>
      <div className={styles.title}>
        <h3 id={headId}>{title}</h3>
        {agreement !== null && (
          <span className={disagrees ? styles.apart : styles.agreed} {...hinted(roundTexts.agreementHint)}>
            {roundTexts.agreement(agreement)}
          </span>
        )}
        {quantity !== 1 && <span className="muted">{roundTexts.answer.each(formatExactHours(quantity), unit)}</span>}
      </div>
      {outliers.length > 0 && (
        <ul className={styles.ask} aria-label={t.askFirst}>
          {outliers.map(({ estimate, at }) => (
            <li key={estimate.id}>
              {estimate.person
                ? t.ask(estimate.person.id === userId ? null : nameOf(estimate, at), pointsText(estimate))
                : t.askUnnamed(pointsText(estimate))}
            </li>
          ))}
        </ul>
      )}
      {rowsFit(result) ? (
        <RangesTable
          label={title}
          rows={rows}
          hasNotes={hasNotes}
          hasActions={onAdopt !== null || adopted !== undefined}
        />
      ) : (
        <p className="muted">{result.people === 0 ? t.nobody : t.tooFew(result.people)}</p>
      )}
      {skipped > 0 && <p className="muted">{t.cannotJudge(skipped)}</p>}
    </article>
  );
}

/** Whether there are ranges to show: of too few people, the service shows none. */
const rowsFit = ({ estimates }: { readonly estimates: readonly unknown[] }): boolean => estimates.length > 0;
