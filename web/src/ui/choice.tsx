import styles from "./choice.module.css";

interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** The text of each value. */
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Called when it is pointed at or has the focus: what a choice shows can be loaded ahead. */
  readonly onPoint?: () => void;
}

/** One of a few, all of which show: radio buttons that look like one switch. */
export const Choice = <Value extends string>({ label, options, value, onChange, onPoint }: ChoiceProps<Value>) => (
  <fieldset className={styles.choice} onPointerEnter={onPoint} onFocus={onPoint}>
    <legend className="unseen">{label}</legend>
    {(Object.keys(options) as Value[]).map((name) => (
      <label key={name} className={styles.option}>
        <input type="radio" name={label} checked={name === value} onChange={() => onChange(name)} />
        {options[name]}
      </label>
    ))}
  </fieldset>
);
