import type { RoundOption } from "../../../../contract/values/round.ts";
import { isPassing } from "../../api/failure.ts";
import { Notice, NoticeButton } from "../../ui/notice.tsx";
import { pointsText } from "../trees/marked/value-text.ts";
import { SKIP } from "./read-answer.ts";
import { refusalText } from "./refusal-text.ts";
import styles from "./round-page.module.css";
import { roundTexts } from "./texts.ts";
import type { Answers } from "./use-answers.ts";

const t = roundTexts.answer;

interface NoticeProps {
  readonly answers: Answers;
  readonly options: readonly RoundOption[];
  /** Shows an option with what was said of it, to be changed; left out where nothing can be changed. */
  readonly onShow?: (optionId: string) => void;
}

/** Says what keeps answers from the service, and which they are, so that none is lost unseen. */
export function SendingNotice({ answers: { sending, drop }, options, onShow }: NoticeProps) {
  const { unsent, refused, at, error } = sending;
  const titles = new Map(options.map(({ optionId, title }) => [optionId, title]));
  const lost = [...unsent.values()].filter(({ optionId }) => refused.has(optionId));
  const [first] = lost;
  return (
    <>
      {at === "waiting" && <Notice kind="warn">{isPassing(error) ? t.offline : t.later}</Notice>}
      {first && (
        <Notice
          kind="bad"
          action={
            <span className={styles.actions}>
              {onShow && <NoticeButton onClick={() => onShow(first.optionId)}>{t.change}</NoticeButton>}
              <NoticeButton onClick={drop}>{t.drop}</NoticeButton>
            </span>
          }
        >
          {refusalText(refused.get(first.optionId)?.error)}{" "}
          {lost
            .map(({ optionId, hours }) => t.notSent(titles.get(optionId) ?? "", hours ? pointsText(hours) : SKIP))
            .join(" ")}
        </Notice>
      )}
    </>
  );
}
