import styles from "./check-list.module.css";

interface CheckListProps<Name extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly items: readonly { readonly name: Name; readonly meaning: string }[];
  readonly chosen: readonly Name[];
  readonly onChange: (chosen: readonly Name[]) => void;
  readonly error?: string | undefined;
}

/** Any of several, each with what it means. */
export const CheckList = <Name extends string>(props: CheckListProps<Name>) => {
  const { label, hint, items, chosen, onChange, error } = props;
  const names = items.map(({ name }) => name);
  return (
    <fieldset className={styles.list}>
      <legend>{label}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      <div className={styles.items}>
        {items.map(({ name, meaning }) => (
          <label key={name} className={styles.item}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(names.filter((other) => (other === name ? checked : chosen.includes(other))))
              }
            />
            <span className={styles.name}>{name}</span>
            <span className={styles.meaning}>{meaning}</span>
          </label>
        ))}
      </div>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
};
