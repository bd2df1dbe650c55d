import { Button } from "@mantine/core";
import { pointsOf } from "../../../../domain/tree/shape.ts";
import { described } from "../../ui/hinted.ts";
import { formatExactHours, formatHours } from "../../ui/numbers/format.ts";
import { Kind } from "../trees/marked/kind.tsx";
import type { Mark } from "../trees/marked/marked-tree.ts";
import { markedTexts } from "../trees/marked/texts.ts";
import { pointsText, valueText } from "../trees/marked/value-text.ts";
import type { Row } from "../trees/outline/rows.ts";
import styles from "./review-page.module.css";
import { reviewTexts } from "./texts.ts";

const t = reviewTexts.line;

interface LinePanelProps {
  readonly row: Row | undefined;
  readonly mark: Mark | undefined;
  readonly titleOf: (id: string) => string | undefined;
  /** The expected hours of the line in each of the contents that are compared. */
  readonly hours?: readonly (readonly [name: string, hours: number])[];
  /** Null where the reader may not write. */
  readonly onComment: (() => void) | null;
}

/** Everything that the selected line holds, and what changed in it. */
export function LinePanel({ row, mark, titleOf, hours = [], onComment }: LinePanelProps) {
  if (row === undefined) return <p className="muted">{t.none}</p>;
  const { node, option } = row;
  const named = (id: string) => titleOf(id) ?? id;
  const points = option && pointsOf(option);
  const facts: readonly (readonly [string, string | null | undefined | false])[] = option
    ? [
        [t.hours, points && `${pointsText(points)} h`],
        [t.quantity, option.quantity !== 1 && `${formatExactHours(option.quantity)} ${option.unit ?? ""}`],
        [t.role, option.role],
        [t.requires, option.requires.map(named).join(", ")],
        [t.excludes, option.excludes.map(named).join(", ")],
      ]
    : [];
  return (
    <section aria-label={t.title} className={styles.line}>
      <h2>{option ? `${node.title}: ${option.title}` : node.title}</h2>
      {option && node.kind !== "group" && <p className="muted">{option.selected ? t.chosen : t.notChosen}</p>}
      {(option ?? node).description !== "" && <p className={styles.description}>{(option ?? node).description}</p>}
      <dl className={styles.facts}>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {mark && (
        <>
          <p className={styles.kinds}>
            {mark.kinds.map((kind) => (
              <Kind key={kind} kind={kind} />
            ))}
            {mark.hoursDelta !== 0 && <span>{t.effect(mark.hoursDelta)}</span>}
          </p>
          {mark.changes.length > 0 && (
            <ul className={styles.changes} aria-label={t.changed}>
              {mark.changes.map(({ field, before, after }) => (
                <li key={field}>
                  <span className="muted">{markedTexts.field(field)}</span> <del>{valueText(before, named)}</del>{" "}
                  <span aria-hidden="true">→</span> <ins>{valueText(after, named)}</ins>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      {hours.length > 0 && (
        <dl className={styles.facts} aria-label={t.expected}>
          {hours.map(([name, expected]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatHours(expected)} h</dd>
            </div>
          ))}
        </dl>
      )}
      {onComment && (
        <Button variant="default" size="compact-sm" {...described("c")} onClick={onComment}>
          {t.comment}
        </Button>
      )}
    </section>
  );
}
