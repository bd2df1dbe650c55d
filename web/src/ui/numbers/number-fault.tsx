import { type FocusEvent, type KeyboardEvent, useRef } from "react";
import { uiTexts } from "../texts.ts";
import styles from "./number-fault.module.css";
import type { Read } from "./read-number.ts";

/** Why what was typed is not taken: in words, or what it can mean, to choose from. */
export type Refused = string | readonly string[];

/** Returns what it can mean; where it cannot be read at all, the given words. */
export const refusedOf = ({ readings }: Extract<Read<unknown>, { readonly ok: false }>, words: string): Refused =>
  readings.length > 0 ? readings : words;

interface NumberFaultProps {
  readonly id?: string;
  readonly className?: string | undefined;
  /** What was typed. */
  readonly text: string;
  readonly refused: Refused;
  /** Called with a text that has only the chosen reading. */
  readonly onChoose: (text: string) => void;
  /** Gives the focus back to the field. */
  readonly onLeave?: () => void;
  /** Called when the focus goes from a reading to something else. */
  readonly onBlur?: (event: FocusEvent) => void;
}

/** What is said below a field whose number was not taken. Tab leads from the field to the readings. */
export function NumberFault({ id, className, text, refused, onChoose, onLeave, onBlur }: NumberFaultProps) {
  const box = useRef<HTMLSpanElement>(null);
  if (typeof refused === "string")
    return (
      <span id={id} role="alert" className={className}>
        {refused}
      </span>
    );
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    const buttons = [...(box.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") onLeave?.();
    if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    if (step || event.key === "Escape") event.preventDefault();
  };
  return (
    <span
      ref={box}
      id={id}
      role="alert"
      className={`${className ?? ""} ${styles.question}`}
      onKeyDown={press}
      onBlur={onBlur}
    >
      {uiTexts.whichNumber(text.trim())}{" "}
      {refused.map((reading) => (
        <button key={reading} type="button" className={styles.reading} onClick={() => onChoose(reading)}>
          {reading}
        </button>
      ))}
    </span>
  );
}

/** Whether the focus goes from a field to the readings of what was typed into it. */
export const goesToReadings = ({ relatedTarget }: { readonly relatedTarget: EventTarget | null }): boolean =>
  relatedTarget instanceof Element && relatedTarget.closest(`.${styles.question}`) !== null;
