import { type ReactNode, useId, useRef } from "react";
import { IconChevron } from "../icons.tsx";
import input from "../input.module.css";
import menu from "../menu.module.css";
import styles from "./pick-many.module.css";
import { showBelow } from "./show-below.ts";

interface PickManyProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
  /** What else shows, above the options. */
  readonly children?: ReactNode;
}

/** A button that says which of several are chosen, and opens the list to choose them from. */
export function PickMany<Value extends string>({ label, options, chosen, onChange, children }: PickManyProps<Value>) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLFieldSetElement>(null);
  const open = () => {
    if (!trigger.current || !list.current) return;
    showBelow(trigger.current, list.current);
    list.current.querySelector("input")?.focus();
  };
  const names = options.filter(({ value }) => chosen.includes(value)).map((option) => option.label);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={`${input.input} ${styles.trigger} ${names.length > 0 ? styles.active : ""}`}
        aria-haspopup="dialog"
        aria-expanded={false}
        aria-controls={id}
        onClick={open}
      >
        <span className={styles.text}>
          {label}
          {names.length > 0 && `: ${names.join(", ")}`}
        </span>
        <IconChevron size={14} />
      </button>
      <fieldset
        ref={list}
        id={id}
        popover="auto"
        className={`${menu.menu} ${styles.list}`}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
        }}
      >
        <legend className="unseen">{label}</legend>
        {children}
        {options.map((option) => (
          <label key={option.value} className={`${menu.item} ${styles.item}`}>
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value))
              }
            />
            <span className={styles.name}>{option.label}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
