import { useRef, useState } from "react";
import { taskTexts as t } from "../../texts-of-tasks.ts";
import { readActualHours } from "./read-actual-hours.ts";
import styles from "./tasks.module.css";

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
  const [written, setWritten] = useState<string | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  /** What is being saved; undefined if nothing is. */
  const sent = useRef<number | null>(undefined);
  const keep = () => {
    if (written === null) return;
    const read = readActualHours(written);
    setUnreadable(read === undefined);
    if (read === undefined) return;
    if (read === sent.current) return;
    if (read === hours && sent.current === undefined) return setWritten(null);
    sent.current = read;
    onChange(read, (isSaved) => {
      sent.current = undefined;
      if (isSaved) setWritten((now) => (now === written ? null : now));
    });
  };
  return (
    <>
      <input
        className={styles.hoursInput}
        aria-label={label}
        aria-invalid={isUnreadable}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={written ?? (hours === null ? "" : String(hours))}
        onChange={(event) => setWritten(event.currentTarget.value)}
        onBlur={keep}
        onKeyDown={({ key }) => {
          if (key === "Enter") keep();
          if (key !== "Escape") return;
          setWritten(null);
          setUnreadable(false);
        }}
      />
      {isUnreadable && (
        <span role="alert" className={styles.fault}>
          {t.unreadableHours}
        </span>
      )}
    </>
  );
}
