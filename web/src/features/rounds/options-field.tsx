import { useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { Input } from "../../ui/input.tsx";
import { formatPercent } from "../../ui/numbers/format.ts";
import { TextButton } from "../../ui/text-button.tsx";
import type { Candidate } from "./candidates.ts";
import styles from "./open-dialog.module.css";
import { roundTexts } from "./texts.ts";

const t = roundTexts.open;

interface OptionsProps {
  readonly candidates: readonly Candidate[];
  /** Those that make the total most uncertain. */
  readonly drivers: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** What is to be estimated. */
export function OptionsField({ candidates, drivers, chosen, onChange }: OptionsProps) {
  const [query, setQuery] = useState("");
  const wanted = query.trim().toLowerCase();
  const shown = candidates.filter(({ title, question }) => `${question} ${title}`.toLowerCase().includes(wanted));
  const ids = candidates.slice(0, limits.roundOptions).map(({ id }) => id);
  return (
    <fieldset className={styles.options}>
      <legend>{t.options}</legend>
      <div className={styles.tools}>
        <Input
          type="search"
          aria-label={t.filter}
          placeholder={t.filter}
          maxLength={limits.searchLength}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={(event) => {
            // It is no answer to the whole dialog.
            if (event.key === "Enter") event.preventDefault();
          }}
        />
        {drivers.length > 0 && <TextButton onClick={() => onChange(new Set(drivers))}>{t.drivers}</TextButton>}
        <TextButton onClick={() => onChange(new Set(ids))}>{t.all}</TextButton>
        <TextButton onClick={() => onChange(new Set())}>{t.none}</TextButton>
        <span className={`number ${styles.count}`} role="status">
          {t.chosen(chosen.size)}
        </span>
      </div>
      <div className={styles.list}>
        {shown.map(({ id, title, question, share }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(new Set([...chosen].filter((other) => other !== id).concat(checked ? id : [])))
              }
            />
            <span className={styles.name}>
              {title} <span className="muted">{question}</span>
            </span>
            {share >= 0.005 && <span className="number muted">{t.ofUncertainty(formatPercent(share))}</span>}
          </label>
        ))}
        {shown.length === 0 && <p className="muted">{candidates.length === 0 ? t.noneInTree : t.noOptions}</p>}
      </div>
    </fieldset>
  );
}
