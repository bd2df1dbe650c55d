import { useEffect, useState } from "react";
import { taskTexts as t } from "../../texts-of-tasks.ts";
import { readActualHours } from "./read-actual-hours.ts";
import styles from "./tasks.module.css";

interface ActualHoursProps {
  readonly label: string;
  readonly hours: number | null;
  readonly isBusy: boolean;
  readonly onChange: (hours: number | null) => void;
}

/** Hours that a task took: saved when the field is left, or with Enter; Escape takes back what was typed. */
export function ActualHours({ label, hours, isBusy, onChange }: ActualHoursProps) {
  const [written, setWritten] = useState<string | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  // What is saved shows as it was typed until the answer is here.
  useEffect(() => {
    if (!isBusy && hours !== undefined) setWritten(null);
  }, [isBusy, hours]);
  const keep = () => {
    if (written === null) return;
    const read = readActualHours(written);
    setUnreadable(read === undefined);
    if (read === undefined) return;
    if (read === hours) setWritten(null);
    else onChange(read);
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
        readOnly={isBusy}
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
