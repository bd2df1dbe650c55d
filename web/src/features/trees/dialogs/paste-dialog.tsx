import { Button } from "@mantine/core";
import { useState } from "react";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { formatExactHours } from "../../../ui/numbers/format.ts";
import { uiTexts } from "../../../ui/texts.ts";
import { addPasted, type Decimal, type PastedRow, pastedCount, readPasted } from "../outline/pasted-rows.ts";
import type { Row } from "../outline/rows.ts";
import { panelTexts } from "../panels/panel-texts.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import styles from "./paste-dialog.module.css";

const t = panelTexts.paste;
const { columns } = treeTexts.editor;
const SHOWN = 200;

interface PasteProps {
  readonly text: string;
  /** The line that they are added after, or in. */
  readonly row: Row;
  readonly sync: TreeSync;
  readonly onClose: () => void;
  /** Called with the first of the new lines; with `row` if there is none. */
  readonly onAdded: (id: string) => void;
}

/** What was understood of lines that were copied from a spreadsheet, before they are added. */
export function PasteDialog({ text, row, sync, onClose, onAdded }: PasteProps) {
  const [decimal, setDecimal] = useState<Decimal | null>(null);
  const { rows, question } = readPasted(text, decimal);
  const count = pastedCount(rows);
  const isOpen = question !== null && decimal === null;
  const add = async () => {
    const ids = await sync.ids.takeAll("option", count);
    onClose();
    const fault = ids ? sync.edit(addPasted(row, rows, ids)) : treeTexts.editor.noIds;
    if (fault) sync.say(fault);
    else onAdded(ids?.[0] ?? row.id);
  };
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
            {rows.slice(0, SHOWN).map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never change places
              <PreviewRow key={index} row={each} isOpen={isOpen} />
            ))}
          </tbody>
        </table>
        {rows.length > SHOWN && <p className="muted">{t.more(rows.length - SHOWN)}</p>}
      </div>
      <DialogEnd>
        <Button variant="default" onClick={onClose}>
          {uiTexts.cancel}
        </Button>
        <Button disabled={isOpen || count === 0} onClick={() => void add()}>
          {t.add(count)}
        </Button>
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
