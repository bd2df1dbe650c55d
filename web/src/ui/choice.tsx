import styles from "./choice.module.css";

interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** The text of each value. */
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** One of a few, all of which show: radio buttons that look like one switch. */
export const Choice = <Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) => (
  <fieldset className={styles.choice}>
    <legend className="unseen">{label}</legend>
    {(Object.keys(options) as Value[]).map((name) => (
      <label key={name} className={styles.option}>
        <input type="radio" name={label} checked={name === value} onChange={() => onChange(name)} />
        {options[name]}
      </label>
    ))}
  </fieldset>
);
