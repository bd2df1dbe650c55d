import { useRef, useState } from "react";
import { Input } from "../../ui/input.tsx";
import { fieldNumber, numberStyle } from "../../ui/numbers/format.ts";
import { goesToReadings, NumberFault, type Refused, refusedOf } from "../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../ui/numbers/pasted.ts";
import { readHours } from "../../ui/numbers/read-hours.ts";
import type { Typed } from "../../ui/numbers/read-number.ts";
import styles from "./tasks.module.css";
import { taskTexts as t } from "./texts.ts";

interface ActualHoursProps {
  readonly label: string;
  readonly hours: number | null;
  /** Saves hours; `onEnd` is called with whether they are saved, unless others were given meanwhile. */
  readonly onChange: (hours: number | null, onEnd: (isSaved: boolean) => void) => void;
}

/**
 * Hours that a task took: saved when the field is left, or with Enter; Escape takes back what was typed. What is
 * typed stays until it is saved.
 */
export function ActualHours({ label, hours, onChange }: ActualHoursProps) {
  const [written, setWritten] = useState<Typed | null>(null);
  const [fault, setFault] = useState<Refused | null>(null);
  const field = useRef<HTMLInputElement>(null);
  /** What is being saved; undefined if nothing is. */
  const sent = useRef<number | null>(undefined);
  const keep = (typed = written) => {
    if (typed === null) return;
    const read = readHours(typed, numberStyle);
    setFault(read.ok ? null : refusedOf(read, t.unreadableHours));
    setWritten(typed);
    if (!read.ok || read.value === sent.current) return;
    if (read.value === hours && sent.current === undefined) return setWritten(null);
    sent.current = read.value;
    onChange(read.value, (isSaved) => {
      sent.current = undefined;
      if (isSaved) setWritten((now) => (now === typed ? null : now));
    });
  };
  return (
    <>
      <Input
        className={`number ${styles.hoursInput}`}
        aria-label={label}
        aria-invalid={fault !== null}
        ref={field}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={written?.text ?? fieldNumber(hours)}
        onChange={(event) => {
          const isPasted = isPastedIn(event, written?.isPasted ?? false);
          setWritten({ text: event.currentTarget.value, isPasted });
          if (typeof fault === "object") setFault(null);
        }}
        onPaste={pasteApart}
        onBlur={(event) => goesToReadings(event) || keep()}
        onKeyDown={({ key }) => {
          if (key === "Enter") keep();
          if (key !== "Escape") return;
          setWritten(null);
          setFault(null);
        }}
      />
      {fault !== null && (
        <NumberFault
          className={styles.fault}
          text={written?.text ?? ""}
          refused={fault}
          onChoose={(text) => keep({ text })}
          onLeave={() => field.current?.focus()}
        />
      )}
    </>
  );
}
