import { Button } from "@mantine/core";
import { useCallback, useMemo, useState } from "react";
import type { Round, RoundOption } from "../../../../contract/values/round.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { useSession } from "../../api/session.ts";
import { NoticeButton } from "../../ui/notice.tsx";
import columns from "../trees/columns.module.css";
import type { Line } from "../trees/marked/marked-grid.tsx";
import { useStable } from "../trees/use-stable.ts";
import { AnswerCard } from "./answer-card.tsx";
import { readDrafts } from "./drafts.ts";
import { stepFrom } from "./marks.ts";
import type { Given } from "./outbox.ts";
import styles from "./round-page.module.css";
import { RoundTree } from "./round-tree.tsx";
import { SendingNotice } from "./sending-notice.tsx";
import { roundTexts } from "./texts.ts";
import { useAnswers } from "./use-answers.ts";
import { WaitingRoom } from "./waiting-room.tsx";

const t = roundTexts.answer;

interface OpenProps {
  readonly round: Round;
  readonly options: readonly RoundOption[];
  /** What is estimated; undefined while it loads. */
  readonly tree: Tree | undefined;
}

/** A round while people estimate: one option at a time for who is asked, and how far everybody has come. */
export function OpenView({ round, options, tree }: OpenProps) {
  const answers = useAnswers(round, options);
  const said = answers.byOption;
  const ids = round.optionIds;
  const [optionId, setOption] = useState<string | null>(() => ids.find((id) => !said.has(id)) ?? null);
  const isAsked = round.you !== null;
  const [line, setLine] = useState<Line | null>(isAsked && optionId ? { id: optionId, isStill: true } : null);
  const [takesFocus, setFocus] = useState(true);
  const done = ids.filter((id) => said.has(id)).length;
  const userId = useSession()?.userId ?? "";
  const drafts = readDrafts(userId, round.id, ids, said);
  const draftIds = drafts.map(({ optionId }) => optionId).join(" ");
  const typed = useMemo(() => new Set(draftIds.split(" ")), [draftIds]);
  const isSent = done === ids.length && answers.sending.unsent.size === 0;
  const at = !isSent ? "sending" : drafts.length > 0 ? "typed" : "done";
  const option = isAsked ? options.find((one) => one.optionId === optionId) : undefined;

  const show = (id: string | null, next: Line | null) => {
    setOption(id);
    setLine(next);
  };
  const go = (id: string | undefined) => {
    setFocus(true);
    show(id ?? null, id === undefined ? null : { id, isStill: true });
  };
  const give = (given: Given) => {
    answers.give(given);
    go(stepFrom(ids, given.optionId, 1, (id) => !said.has(id)));
  };
  const move = (by: 1 | -1) => {
    const next = optionId === null ? undefined : stepFrom(ids, optionId, by);
    if (next !== undefined) go(next);
  };
  const point = useStable((next: Line) => {
    if (!isAsked || !ids.includes(next.id)) return setLine(next);
    setFocus(false);
    show(next.id, next);
  });
  const enter = useCallback((id: string) => document.getElementById(`range-${id}`)?.focus(), []);
  return (
    <>
      <SendingNotice answers={answers} options={options} onShow={go} />
      <div className={`${columns.columns} ${styles.columns}`}>
        {option ? (
          <AnswerCard
            key={option.optionId}
            roundId={round.id}
            option={option}
            tree={tree}
            answer={said.get(option.optionId)}
            at={ids.indexOf(option.optionId) + 1}
            all={ids.length}
            done={done}
            takesFocus={takesFocus}
            onGive={give}
            onMove={move}
          />
        ) : (
          <WaitingRoom round={round} at={at}>
            {isAsked && drafts.length > 0 && (
              <p className={styles.actions}>
                {roundTexts.waiting.typedFor}
                {options
                  .filter((one) => typed.has(one.optionId))
                  .map(({ optionId: id, title }) => (
                    <NoticeButton key={id} onClick={() => go(id)}>
                      {title}
                    </NoticeButton>
                  ))}
              </p>
            )}
            {isAsked && (
              <Button variant="default" onClick={() => go(ids[0])}>
                {roundTexts.waiting.change}
              </Button>
            )}
          </WaitingRoom>
        )}
        <section aria-label={t.tree} className={styles.tree}>
          {tree && (
            <RoundTree
              tree={tree}
              optionIds={ids}
              said={said}
              typed={typed}
              line={line}
              setLine={point}
              onEnter={enter}
            />
          )}
        </section>
      </div>
    </>
  );
}
