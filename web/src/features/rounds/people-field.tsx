import { Button } from "@mantine/core";
import { IconClose } from "../../ui/icons.tsx";
import { Person } from "../../ui/person.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Colleague } from "../reviews/colleagues.ts";
import { AddressInput } from "../users/address-input.tsx";
import styles from "./open-dialog.module.css";
import { roundTexts } from "./texts.ts";

const t = roundTexts.open;

interface PeopleProps {
  /** The reader and those whom they work with. */
  readonly known: readonly Colleague[];
  readonly userId: string;
  /** Ids and addresses of who is asked. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** An address that is being written, and the form that adds it. */
  readonly written: string;
  readonly onWritten: (written: string) => void;
  readonly formId: string;
  readonly error: string | undefined;
}

/** Who is asked: some of the people whom the reader works with, and any others by their addresses. */
export function PeopleField({ known, userId, chosen, onChange, written, onWritten, formId, error }: PeopleProps) {
  const ids = new Set(known.map(({ id }) => id));
  const others = chosen.filter((one) => !ids.has(one));
  const without = (one: string) => chosen.filter((each) => each !== one);
  return (
    <fieldset className={styles.people}>
      <legend>{t.people}</legend>
      {known.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) => onChange(checked ? [...chosen, id] : without(id))}
          />
          <Person name={name}>{id === userId ? t.me(name) : name}</Person>
        </label>
      ))}
      {others.map((address) => (
        <span key={address} className={styles.other}>
          <Person name={address} />
          <ToolButton label={t.remove(address)} look="small" onPress={() => onChange(without(address))}>
            <IconClose size={12} />
          </ToolButton>
        </span>
      ))}
      <div className={styles.add}>
        <AddressInput
          label={t.otherPerson}
          description={t.otherHint}
          error={error}
          form={formId}
          value={written}
          onChange={onWritten}
        />
        <Button variant="default" type="submit" form={formId}>
          {t.add}
        </Button>
      </div>
    </fieldset>
  );
}
