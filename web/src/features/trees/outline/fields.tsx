import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Input, LongInput } from "../../../ui/input.tsx";
import { goesToReadings, NumberFault, type Refused } from "../../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../../ui/numbers/pasted.ts";
import type { Typed } from "../../../ui/numbers/read-number.ts";
import type { Held } from "../editor-state.ts";
import styles from "./fields.module.css";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** Stores what was typed, as an edit of what `hold` returned; returns why it cannot, in words, or null. */
  readonly onCommit: (typed: Typed, held: Held | undefined) => Refused | null;
  /** Returns what there is now, when typing begins; left out where nothing can be typed. */
  readonly hold: (() => Held) | undefined;
  /** Takes a text that could not be stored when the field went away, for example because others deleted its line. */
  readonly onLost?: (text: string) => void;
  readonly hint?: string;
  readonly isLong?: boolean;
  readonly isNumber?: boolean;
  readonly isReadOnly?: boolean;
  readonly maxLength?: number;
  /** Values to choose from, besides any other. */
  readonly choices?: readonly string[];
}

/**
 * A field that is stored when it is left, or with Enter; Escape leaves it as it was. A refused text stays, with the
 * reason.
 */
export function Field({
  label,
  value,
  onCommit,
  hold,
  onLost,
  hint,
  isLong,
  isNumber,
  isReadOnly,
  maxLength,
  choices,
}: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  // Others may change the same field: the typed text is an edit of the value at the time when typing began.
  const begun = useRef<{ readonly value: string; readonly held: Held | undefined }>(undefined);
  const [fault, setFault] = useState<Refused | null>(null);
  const isPasted = useRef(false);
  const asTyped = (): Typed | null => (typed === null ? null : { text: typed, isPasted: isPasted.current });
  const commit = (what = asTyped()) => {
    if (what === null) return;
    const refused = what.text === begun.current?.value ? null : onCommit(what, begun.current?.held);
    setFault(refused);
    if (refused === null) end();
  };
  const end = () => {
    begun.current = undefined;
    setTyped(null);
  };
  // Nothing leaves a field that goes away while something is typed, such as with a line that others delete.
  const leave = useRef(() => {});
  leave.current = () => {
    const what = asTyped();
    if (what === null || begun.current === undefined || what.text === begun.current.value) return;
    if (onCommit(what, begun.current.held) !== null) onLost?.(what.text);
  };
  useEffect(() => () => leave.current(), []);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !(isLong && !event.ctrlKey && !event.metaKey)) {
      event.preventDefault();
      commit();
    } else if (event.key === "Escape" && typed !== null) {
      event.stopPropagation();
      end();
      setFault(null);
    }
  };
  const input = {
    id,
    className: `${styles.input} ${isNumber ? "number" : ""}`,
    value: typed ?? value,
    readOnly: isReadOnly,
    maxLength,
    "aria-invalid": fault !== null,
    "aria-describedby": fault !== null ? `${id}-fault` : hint ? `${id}-hint` : undefined,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      isPasted.current = isPastedIn(event, isPasted.current);
      if (typeof fault === "object") setFault(null);
      if (typed === null) begun.current = { value, held: hold?.() };
      setTyped(event.currentTarget.value);
    },
    onBlur: (event: FocusEvent) => goesToReadings(event) || commit(),
    onKeyDown: press,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <LongInput rows={3} {...input} />
      ) : (
        <Input
          type="text"
          onPaste={isNumber ? pasteApart : undefined}
          inputMode={isNumber ? "decimal" : undefined}
          list={choices && `${id}-list`}
          {...input}
        />
      )}
      {choices && (
        <datalist id={`${id}-list`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {fault !== null ? (
        <NumberFault
          id={`${id}-fault`}
          className={styles.fault}
          text={typed ?? value}
          refused={fault}
          onChoose={(text) => commit({ text })}
          onLeave={() => document.getElementById(id)?.focus()}
        />
      ) : (
        hint && (
          <span id={`${id}-hint`} className={styles.hint}>
            {hint}
          </span>
        )
      )}
    </div>
  );
}

/** Fields side by side. */
export const FieldRow = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.together}>{children}</div>
);

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export const Check = ({ label, checked, disabled, onChange }: CheckProps) => (
  <label className={styles.check}>
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    {label}
  </label>
);
