import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import type { RoundOption } from "../../../../contract/values/round.ts";
import { rangeOf } from "../../../../domain/rounds/agreement.ts";
import { findOption } from "../../../../domain/tree/edit/locate.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { described } from "../../ui/hinted.ts";
import { IconDown, IconUp } from "../../ui/icons.tsx";
import { Input, LongInput } from "../../ui/input.tsx";
import { formatExactHours } from "../../ui/numbers/format.ts";
import { goesToReadings, NumberFault, type Refused } from "../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../ui/numbers/pasted.ts";
import { fieldPoints } from "../../ui/numbers/three-points.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useKeptText } from "../reviews/use-kept-text.ts";
import { pointsText } from "../trees/marked/value-text.ts";
import styles from "./answer-card.module.css";
import { draftNames } from "./drafts.ts";
import type { Given } from "./outbox.ts";
import { readAnswer, SKIP } from "./read-answer.ts";
import { roundTexts } from "./texts.ts";
import type { Answer } from "./use-answers.ts";

const t = roundTexts.answer;

interface CardProps {
  readonly roundId: string;
  readonly option: RoundOption;
  /** What is estimated, for what the option means; undefined while it loads. */
  readonly tree: Tree | undefined;
  /** What the reader has said of it. */
  readonly answer: Answer | undefined;
  /** Which of the options it is, from 1, of how many, and how many of them have an answer. */
  readonly at: number;
  readonly all: number;
  readonly done: number;
  /** Whether the focus goes to the range as soon as it shows. */
  readonly takesFocus: boolean;
  /** Takes what the reader says, and goes on. */
  readonly onGive: (given: Given) => void;
  readonly onMove: (by: 1 | -1) => void;
}

/** One option with the fields for its range, and why. What is typed stays until it is taken, also over a reload. */
export function AnswerCard({ roundId, option, tree, answer, at, all, done, takesFocus, onGive, onMove }: CardProps) {
  const { optionId, title, path, quantity, unit, role } = option;
  const names = draftNames(roundId, optionId);
  const [typed, setTyped] = useKeptText(names.range);
  const [why, setWhy] = useKeptText(names.why);
  // Empty means untouched: what was said before shows then.
  const [isCleared, setCleared] = useState({ range: false, why: false });
  const before = answer ? (answer.hours ? fieldPoints(answer.hours) : SKIP) : "";
  const text = typed === "" && !isCleared.range ? before : typed;
  const note = why === "" && !isCleared.why ? (answer?.note ?? "") : why;
  const [fault, setFault] = useState<Refused | null>(null);
  const isPasted = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, [takesFocus]);

  const give = (hours: Given["hours"]) => {
    setTyped("");
    // The service takes no reason with a skip: it stays here, for a range that may follow.
    setWhy(hours ? "" : note);
    setCleared({ range: false, why: false });
    onGive({ optionId, hours, note: hours && note.trim() !== "" ? note.trim() : null });
  };
  const commit = (what = text, pasted = isPasted.current) => {
    const read = readAnswer({ text: what, isPasted: pasted });
    if (read.kind === "refused") {
      setFault(read.why);
      field.current?.focus();
    } else give(read.kind === "range" ? read.points : null);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    const isInRange = event.target === field.current;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (step !== undefined && isPlain && (isInRange || event.altKey)) onMove(step);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) commit();
    else return;
    event.preventDefault();
  };
  const read = text === "" ? null : readAnswer({ text });
  const range = read?.kind === "range" ? rangeOf(read.points) : null;
  const found = tree && findOption(tree, optionId);
  const question = found?.parent.node;
  return (
    <form
      className={styles.card}
      aria-label={t.title}
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
      onKeyDown={press}
    >
      <div className={styles.bar}>
        <progress max={Math.max(1, all)} value={done} aria-hidden="true" />
        <span className="number">{t.progress(at, all)}</span>
        <ToolButton label={t.previous} keys={t.previousKey} look="boxed" disabled={at === 1} onPress={() => onMove(-1)}>
          <IconUp />
        </ToolButton>
        <ToolButton label={t.next} keys={t.nextKey} look="boxed" disabled={all === 1} onPress={() => onMove(1)}>
          <IconDown />
        </ToolButton>
      </div>
      <div className={styles.about}>
        <p className="muted">{path.join(" › ")}</p>
        <h3 id={`title-${optionId}`}>{title}</h3>
        {found && found.option.description !== "" && <p className={styles.text}>{found.option.description}</p>}
        {question && question.description !== "" && (
          <p className={`muted ${styles.text}`}>{`${question.title}: ${question.description}`}</p>
        )}
        {(role !== null || quantity !== 1) && (
          <p className="muted">
            {[role, quantity !== 1 && t.each(formatExactHours(quantity), unit)].filter(Boolean).join(" · ")}
          </p>
        )}
      </div>
      <div className={styles.field}>
        <label id={`label-${optionId}`} htmlFor={`range-${optionId}`}>
          {quantity === 1 ? t.range : t.rangeOfOne}
        </label>
        <Input
          id={`range-${optionId}`}
          ref={field}
          className={styles.range}
          type="text"
          autoComplete="off"
          enterKeyHint="next"
          placeholder={t.rangePlaceholder}
          maxLength={40}
          aria-labelledby={`label-${optionId} title-${optionId}`}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? "range-hint" : "range-fault"}
          value={text}
          onChange={(event) => {
            isPasted.current = isPastedIn(event, isPasted.current);
            setFault(null);
            setTyped(event.currentTarget.value);
            setCleared((now) => ({ ...now, range: true }));
          }}
          onPaste={pasteApart}
        />
        {fault === null ? (
          <span id="range-hint" className={styles.hint}>
            {range ? t.meaning(formatExactHours(range.low), formatExactHours(range.high)) : t.rangeHint}
          </span>
        ) : (
          <NumberFault
            id="range-fault"
            className={styles.fault}
            text={text}
            refused={fault}
            onChoose={(reading) => commit(reading, false)}
            onLeave={() => field.current?.focus()}
            onBlur={(event) => goesToReadings(event) || setFault(null)}
          />
        )}
      </div>
      <div className={styles.field}>
        <label htmlFor="why">{t.why}</label>
        <LongInput
          id="why"
          rows={2}
          placeholder={t.whyPlaceholder}
          maxLength={limits.roundNoteLength}
          value={note}
          onChange={({ currentTarget }) => {
            setWhy(currentTarget.value);
            setCleared((now) => ({ ...now, why: true }));
          }}
        />
      </div>
      <div className={styles.end}>
        <Button type="submit" {...described(t.saveKey)}>
          {t.save}
        </Button>
        <Button variant="default" {...described(t.skipKey)} onClick={() => give(null)}>
          {t.skip}
        </Button>
        {answer && (
          <span className="muted" role="status">
            {answer.isUnsent ? t.unsent : answer.hours ? t.own(pointsText(answer.hours)) : t.skipped}
          </span>
        )}
      </div>
      <p className={styles.keys}>{t.keys}</p>
    </form>
  );
}
