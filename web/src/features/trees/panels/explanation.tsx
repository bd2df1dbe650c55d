import { Button } from "@mantine/core";
import { flushSync } from "react-dom";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { formatExactHours, formatHours } from "../../../ui/numbers/format.ts";
import { TextButton } from "../../../ui/text-button.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import styles from "../dialogs/dialog.module.css";
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
  const questions = hours.byNode.filter(({ parent, expected }) => parent === null && expected > 0);
  const added = questions.reduce((sum, { p80 }) => sum + p80, 0);
  return (
    <Dialog title={t.title} onClose={onClose}>
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
            <TextButton
              onClick={() => {
                flushSync(onClose);
                onChange();
              }}
            >
              {t.change}
            </TextButton>
          )}
        </p>
      </div>
      <DialogEnd>
        <Button variant="default" onClick={onClose}>
          {uiTexts.close}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
