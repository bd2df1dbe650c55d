import { useEffect, useRef } from "react";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { formatExactHours, formatHours } from "../../../ui/numbers/format.ts";
import { uiTexts } from "../../../ui/texts.ts";
import styles from "./dialog.module.css";
import { panelTexts } from "./panel-texts.ts";

const t = panelTexts.explanation;

interface ExplanationProps {
  readonly hours: RollUp;
  readonly correlation: number;
  /** Left out where it cannot be changed. */
  readonly onChange?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** How the percentiles are computed, and why those of the parts do not add up to those of the whole. */
export function Explanation({ hours, correlation, onChange, onClose }: ExplanationProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isChanging = useRef(false);
  useEffect(() => dialog.current?.showModal(), []);
  const questions = hours.byNode.filter(({ parent, expected }) => parent === null && expected > 0);
  const added = questions.reduce((sum, { p80 }) => sum + p80, 0);
  const close = () => {
    onClose();
    if (isChanging.current) onChange?.();
  };
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="explanation-title" onClose={close}>
      <h2 id="explanation-title">{t.title}</h2>
      <div className={styles.text}>
        <p>{t.points}</p>
        <p>{t.sum}</p>
        {questions.length > 1 && (
          <p>
            <strong>{t.compare(formatHours(added), t.questions(questions.length), formatHours(hours.p80))}</strong>
          </p>
        )}
        <p>
          {t.curve} {t.figures}: {formatHours(hours.expected)} h, {formatHours(hours.standardDeviation)} h.
        </p>
        <p>
          {t.together(formatExactHours(correlation))}{" "}
          {onChange && (
            <button
              type="button"
              className={styles.inline}
              onClick={() => {
                isChanging.current = true;
                dialog.current?.close();
              }}
            >
              {t.change}
            </button>
          )}
        </p>
      </div>
      <form method="dialog" className={styles.end}>
        <button type="submit" className={styles.button}>
          {uiTexts.close}
        </button>
      </form>
    </dialog>
  );
}
