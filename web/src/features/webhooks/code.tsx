import { useId } from "react";
import { CodeField } from "../../ui/code-field.tsx";
import { deliveryTexts } from "./texts.ts";
import styles from "./webhook-page.module.css";

const t = deliveryTexts;

const ROWS = 16;

/** A text of a program under its name. */
export function Code({ label, text }: { readonly label: string; readonly text: string }) {
  const id = useId();
  if (text === "") return <p className={styles.label}>{t.emptyBody}</p>;
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <CodeField id={id} className={styles.code} readOnly rows={Math.min(ROWS, text.split("\n").length)} value={text} />
    </>
  );
}

interface HeaderLinesProps {
  readonly label: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const HeaderLines = ({ label, headers }: HeaderLinesProps) => (
  <Code
    label={label}
    text={Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n")}
  />
);
