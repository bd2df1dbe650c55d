import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import type { LineNote, Taken } from "../../../../domain/transfer/content.ts";
import { importFaultText } from "../../api/fault-texts.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/numbers/format.ts";
import styles from "./import-source.module.css";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.create;
const SHOWN_FAULTS = 100;

const TEXTS = ".md,.txt,.org,.json,text/markdown,text/plain,application/json";
/** Files that are spreadsheets, for a button that chooses one. */
export const SHEETS =
  ".xlsx,.xlsm,.csv,.tsv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const ALL = `${TEXTS},${SHEETS}`;
/** Old workbooks too, of which the service says what to do. */
const SHEET = /\.(?:xls[xm]?|csv|tsv)$/i;

/**
 * Reads files with an outline or an exported estimation; `unusable` says why the last one could not be. Spreadsheets go to
 * `onSheet`, where that is given.
 */
export function useImportFile(onText: (text: string) => void, onSheet?: (file: File) => void) {
  const [unusable, setUnusable] = useState<string | null>(null);
  const take = (file: File | undefined) => {
    if (!file) return;
    setUnusable(null);
    if (onSheet && SHEET.test(file.name)) return onSheet(file);
    if (file.size > limits.treeBodyBytes) return setUnusable(t.tooLarge(file.name, limits.treeBodyBytes / 1024 ** 2));
    void file.text().then(onText, () => setUnusable(t.unreadable(file.name)));
  };
  return { unusable: unusable !== null && <Notice kind="bad">{unusable}</Notice>, take };
}

interface ButtonProps {
  readonly onFile: (file: File | undefined) => void;
  readonly accept?: string;
  readonly label?: string;
}

/** A button that chooses such a file. */
export function ImportFileButton({ onFile, accept = TEXTS, label = t.choose }: ButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <Button variant="default" size="compact-sm" onClick={() => picker.current?.click()}>
        {label}
      </Button>
    </>
  );
}

interface FaultsProps {
  readonly title: string;
  readonly faults: readonly (Parameters<typeof importFaultText>[0] & { readonly line: number })[];
  /** Says where a fault is. */
  readonly lineOf?: (line: number) => string;
}

/** What is wrong with a text, by lines. */
export const ImportFaults = ({ title, faults, lineOf }: FaultsProps) => (
  <Notice kind="bad">
    {title}
    <Lines
      lines={faults.slice(0, SHOWN_FAULTS).map((fault) => ({ line: fault.line, message: importFaultText(fault) }))}
      lineOf={lineOf}
    />
  </Notice>
);

interface LinesProps {
  readonly lines: readonly LineNote[];
  readonly lineOf?: FaultsProps["lineOf"];
}

const Lines = ({ lines, lineOf = (line) => t.line(formatCount(line)) }: LinesProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled with the keyboard
  <ul className={styles.faults} tabIndex={0}>
    {lines.map(({ line, message }) => (
      <li key={`${line} ${message}`}>
        <strong>{lineOf(line)}</strong> {message}
      </li>
    ))}
  </ul>
);

/** Says what of an outline is left out, and what should be looked at; nothing where there is neither. */
export function LineNotes({ taken: { skipped, noted } }: { readonly taken: Taken }) {
  const lists = [
    { kind: "warn", title: t.noted, notes: noted },
    { kind: "info", title: t.skipped, notes: skipped },
  ] as const;
  return lists
    .filter(({ notes }) => notes.length > 0)
    .map(({ kind, title, notes }) => (
      <Notice key={kind} kind={kind}>
        {title}
        <Lines lines={notes.map((note) => ({ line: note.line, message: importFaultText(note) }))} />
      </Notice>
    ));
}
