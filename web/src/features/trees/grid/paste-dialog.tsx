import { useState } from "react";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { formatExactHours } from "../../../ui/numbers/format.ts";
import { uiTexts } from "../../../ui/texts.ts";
import dialog from "../panel/dialog.module.css";
import { panelTexts } from "../panel/panel-texts.ts";
import { treeTexts } from "../texts.ts";
import styles from "./paste-dialog.module.css";
import { type Decimal, type PastedRow, pastedCount, readPasted } from "./pasted-rows.ts";

const t = panelTexts.paste;
const { columns } = treeTexts.editor;
const SHOWN = 200;

interface PasteProps {
  readonly text: string;
  readonly onAdd: (rows: readonly PastedRow[]) => void;
  readonly onClose: () => void;
}

/** What was understood of lines that were copied from a spreadsheet, before they are added. */
export function PasteDialog({ text, onAdd, onClose }: PasteProps) {
  const [decimal, setDecimal] = useState<Decimal | null>(null);
  const { rows, question } = readPasted(text, decimal);
  const count = pastedCount(rows);
  const isOpen = question !== null && decimal === null;
  return (
    <Dialog title={t.name(count)} onClose={onClose}>
      {question && (
        <fieldset className={styles.question}>
          <legend>{uiTexts.whichNumber(question.text)}</legend>
          {([".", ","] as const).map((mark) => (
            <label key={mark}>
              <input type="radio" name="decimal" checked={decimal === mark} onChange={() => setDecimal(mark)} />
              {question.readings[mark]}
            </label>
          ))}
        </fieldset>
      )}
      <div className={styles.scroll}>
        <table className={styles.rows}>
          <thead>
            <tr>
              <th scope="col">{t.option}</th>
              <th scope="col">{columns.optimistic}</th>
              <th scope="col">{columns.likely}</th>
              <th scope="col">{columns.pessimistic}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never change places
              <PreviewRow key={index} row={row} isOpen={isOpen} />
            ))}
          </tbody>
        </table>
        {rows.length > SHOWN && <p className="muted">{t.more(rows.length - SHOWN)}</p>}
      </div>
      <DialogEnd>
        <button type="button" className={dialog.button} onClick={onClose}>
          {uiTexts.cancel}
        </button>
        <button
          type="button"
          className={`${dialog.button} ${dialog.main}`}
          disabled={isOpen || count === 0}
          onClick={() => onAdd(rows)}
        >
          {t.add(count)}
        </button>
      </DialogEnd>
    </Dialog>
  );
}

function PreviewRow({ row, isOpen }: { readonly row: PastedRow; readonly isOpen: boolean }) {
  const { title, points, quantity, role, fault } = row;
  return (
    <tr className={fault === null ? "" : styles.wrong}>
      <th scope="row">
        {title} {quantity !== 1 && <span className="muted">× {formatExactHours(quantity)}</span>}{" "}
        {role && <span className="muted">{role}</span>}
      </th>
      {fault !== null ? (
        <td colSpan={3}>{fault}</td>
      ) : (
        [points?.optimistic, points?.likely, points?.pessimistic].map((hours, index) => (
          <td key={["low", "likely", "high"][index]}>{hours === undefined || isOpen ? "" : formatExactHours(hours)}</td>
        ))
      )}
    </tr>
  );
}
