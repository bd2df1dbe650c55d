import { useEffect, useState } from "react";
import type { Round, RoundOption } from "../../../../contract/values/round.ts";
import { Notice, NoticeButton } from "../../ui/notice.tsx";
import { pointsText } from "../trees/marked/value-text.ts";
import { dropDrafts, readDrafts } from "./drafts.ts";
import { readAnswer } from "./read-answer.ts";
import { SendingNotice } from "./sending-notice.tsx";
import { roundTexts } from "./texts.ts";
import { useAnswers } from "./use-answers.ts";

const t = roundTexts.answer;

interface NotSentProps {
  readonly round: Round;
  readonly options: readonly RoundOption[];
  readonly userId: string;
}

/** Of a round that is over: what the reader gave or typed before, and the service does not have. */
export function NotSent({ round, options, userId }: NotSentProps) {
  // Some may have been on their way when it was revealed.
  const answers = useAnswers(round, options);
  const [drafts, setDrafts] = useState(() => readDrafts(userId, round.id, round.optionIds, answers.byOption));
  useEffect(() => {
    // Also reasons that stayed after a skip.
    if (drafts.length === 0) dropDrafts(userId, round.id, round.optionIds);
  }, [drafts, userId, round.id, round.optionIds]);
  const texts = drafts.map(({ optionId, range, why }) => {
    const read = readAnswer({ text: range });
    const hours = read.kind === "range" ? pointsText(read.points) : range;
    const title = options.find((one) => one.optionId === optionId)?.title ?? "";
    return t.notSent(title, [hours, why && t.quoted(why)].filter(Boolean).join(" "));
  });
  return (
    <>
      <SendingNotice answers={answers} options={options} />
      {texts.length > 0 && (
        <Notice kind="bad" action={<NoticeButton onClick={() => setDrafts([])}>{t.drop}</NoticeButton>}>
          {roundTexts.refusals.round_not_open} {texts.join(" ")}
        </Notice>
      )}
    </>
  );
}
