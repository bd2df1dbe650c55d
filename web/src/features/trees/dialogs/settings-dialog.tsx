import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { limits } from "../../../../../contract/limits.ts";
import { currencies } from "../../../../../contract/values/currencies.ts";
import { type Rounding, roundings } from "../../../../../contract/values/roundings.ts";
import { rateFaults } from "../../../../../domain/rate-faults.ts";
import { rollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { hasTwoDecimals } from "../../../../../domain/tree/hours/round.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { Input, LongInput } from "../../../ui/input.tsx";
import { fieldNumber, formatHours, numberStyle } from "../../../ui/numbers/format.ts";
import { NumberFault, type Refused, refusedOf } from "../../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../../ui/numbers/pasted.ts";
import { readNumber, type Typed } from "../../../ui/numbers/read-number.ts";
import { Select } from "../../../ui/select.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import { panelTexts } from "../panels/panel-texts.ts";
import { changedFields, type Own } from "../sync/content.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import styles from "./settings-dialog.module.css";

const t = panelTexts.settings;

interface SettingsProps {
  readonly own: Own;
  readonly tree: Tree;
  readonly sync: TreeSync;
  readonly onClose: () => void;
}

type Faults = Partial<Record<keyof typeof t.faults, Refused>>;

/** The fields of the estimation itself. All that is changed is one step to undo. */
export function SettingsDialog({ own, tree, sync, onClose }: SettingsProps) {
  // Others may change fields while it is open: only what is changed here is stored.
  const [held] = useState(() => sync.hold());
  const [title, setTitle] = useState(own.title);
  const [client, setClient] = useState(own.clientName ?? "");
  const [description, setDescription] = useState(own.description);
  const [assumptions, setAssumptions] = useState(own.assumptions);
  const [tags, setTags] = useState(own.tags.join(", "));
  const [rate, setRate] = useState<Typed>({ text: fieldNumber(own.hourlyRate) });
  const [currency, setCurrency] = useState(own.currency ?? "");
  const [rounding, setRounding] = useState<Rounding>(own.rounding);
  const [correlation, setCorrelation] = useState<Typed>({ text: fieldNumber(own.correlation) });
  const [faults, setFaults] = useState<Faults>({});
  const read = readSettings({ title, client, description, assumptions, tags, rate, currency, rounding, correlation });
  const save = (event: FormEvent) => {
    event.preventDefault();
    setFaults(read.faults);
    if (Object.keys(read.faults).length > 0) return;
    sync.set(changedFields(held.content.own, read.own), held);
    onClose();
  };
  const text = (name: keyof Faults, label: string, value: Typed, onChange: (value: Typed) => void, hint?: string) => (
    <div className={styles.field}>
      <label>
        <span>{label}</span>
        <Input
          type="text"
          value={value.text}
          onPaste={name === "rate" || name === "correlation" ? pasteApart : undefined}
          aria-invalid={faults[name] !== undefined}
          aria-describedby={faults[name] && `settings-${name}`}
          onChange={(event) => {
            const isPasted = isPastedIn(event, value.isPasted ?? false);
            onChange({ text: event.currentTarget.value, isPasted });
            setFaults({ ...faults, [name]: undefined });
          }}
        />
      </label>
      {faults[name] ? (
        <NumberFault
          id={`settings-${name}`}
          className={styles.fault}
          text={value.text}
          refused={faults[name]}
          onChoose={(reading) => {
            onChange({ text: reading });
            setFaults({ ...faults, [name]: undefined });
          }}
        />
      ) : (
        hint && <span className={styles.hint}>{hint}</span>
      )}
    </div>
  );
  return (
    <Dialog title={t.title} onClose={onClose}>
      <form className={styles.form} onSubmit={save} noValidate>
        {text("title", t.name, { text: title }, ({ text: next }) => setTitle(next))}
        <label className={styles.field}>
          <span>{t.client}</span>
          <Input type="text" value={client} onChange={(event) => setClient(event.currentTarget.value)} />
        </label>
        <label className={styles.field}>
          <span>{t.description}</span>
          <LongInput rows={3} value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
        </label>
        <div className={styles.field}>
          <label>
            <span>{t.assumptions}</span>
            <LongInput
              rows={3}
              maxLength={limits.descriptionLength}
              aria-describedby="settings-assumptions"
              value={assumptions}
              onChange={(event) => setAssumptions(event.currentTarget.value)}
            />
          </label>
          <span id="settings-assumptions" className={styles.hint}>
            {t.assumptionsHint}
          </span>
        </div>
        {text("tags", t.tags, { text: tags }, ({ text: next }) => setTags(next), t.tagsHint)}
        <div className={styles.together}>
          {text("rate", t.rate, rate, setRate)}
          <label className={styles.field}>
            <span>{t.currency}</span>
            <Select
              value={currency}
              aria-invalid={faults.currency !== undefined}
              onChange={(event) => setCurrency(event.currentTarget.value)}
            >
              <option value="">{t.noCurrency}</option>
              {[...new Set([...(own.currency ? [own.currency] : []), ...currencies])].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
            {faults.currency && (
              <span role="alert" className={styles.fault}>
                {faults.currency}
              </span>
            )}
          </label>
          <label className={styles.field}>
            <span>{t.rounding}</span>
            <Select
              value={rounding}
              onChange={(event) =>
                setRounding(roundings.find((each) => String(each) === event.currentTarget.value) ?? rounding)
              }
            >
              {roundings.map((each) => (
                <option key={each} value={each}>
                  {t.roundings[each]}
                </option>
              ))}
            </Select>
          </label>
        </div>
        <fieldset className={styles.question}>
          <legend>{t.correlation}</legend>
          <p className="muted">{t.correlationText}</p>
          {t.answers.map(([value, answer, meaning]) => (
            <label key={value} className={styles.answer}>
              <input
                type="radio"
                name="correlation"
                checked={read.faults.correlation === undefined && read.own.correlation === value}
                onChange={() => setCorrelation({ text: fieldNumber(value) })}
              />
              <span>
                <strong>{answer}.</strong> {meaning}
              </span>
              <span className="number muted">{fieldNumber(value)}</span>
            </label>
          ))}
          {text("correlation", t.number, correlation, setCorrelation)}
          <p role="status" className={styles.preview}>
            {previewText(tree, own, read.own.correlation)}
          </p>
        </fieldset>
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit">{t.save}</Button>
        </DialogEnd>
      </form>
    </Dialog>
  );
}

interface Written {
  readonly title: string;
  readonly client: string;
  readonly description: string;
  readonly assumptions: string;
  readonly tags: string;
  readonly rate: Typed;
  readonly currency: string;
  readonly rounding: Rounding;
  readonly correlation: Typed;
}

const lengthOf = (text: string) => [...text].length;

/** Returns the fields as they were written, and what is wrong with them. */
function readSettings(written: Written): { readonly own: Own; readonly faults: Faults } {
  const title = written.title.trim();
  const tags = [...new Set(written.tags.split(",").map((tag) => tag.trim()))].filter(Boolean);
  const [rate, correlation] = [written.rate, written.correlation].map((typed) => readNumber(typed, numberStyle));
  const hourlyRate = rate?.ok ? rate.value : null;
  const share = correlation?.ok ? correlation.value : null;
  const currency = written.currency || null;
  const faults: Faults = {};
  if (title === "" || lengthOf(title) > limits.titleLength) faults.title = t.faults.title;
  if (tags.length > limits.tags || tags.some((tag) => lengthOf(tag) > limits.tagLength))
    faults.tags = t.faults.tags(limits.tags, limits.tagLength);
  if (rate?.ok === false) faults.rate = refusedOf(rate, t.faults.rate);
  else if (hourlyRate !== null && (hourlyRate > limits.hourlyRateMax || !hasTwoDecimals(hourlyRate)))
    faults.rate = t.faults.rate;
  else if (rateFaults({ hourlyRate, currency }).length > 0) faults.currency = t.faults.currency;
  if (correlation?.ok === false) faults.correlation = refusedOf(correlation, t.faults.correlation);
  else if (share === null || share > 1) faults.correlation = t.faults.correlation;
  const own = {
    title,
    clientName: written.client.trim() || null,
    description: written.description,
    assumptions: written.assumptions,
    tags,
    hourlyRate,
    currency,
    rounding: written.rounding,
    correlation: Math.min(share ?? 0, 1),
  };
  return { own, faults };
}

/** Returns the effect of the response on the P80. */
function previewText(tree: Tree, own: Own, correlation: number): string {
  const p80 = rollUp(tree, { ...own, correlation }).p80;
  const by = p80 - rollUp(tree, own).p80;
  if (Math.abs(by) < 0.05) return t.previewSame(formatHours(p80));
  return t.preview(formatHours(p80), `${by > 0 ? "+" : "−"}${formatHours(Math.abs(by))}`);
}
