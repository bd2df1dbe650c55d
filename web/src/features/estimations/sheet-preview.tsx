import type { SheetPreview as Preview } from "../../../../contract/values/sheet-preview.ts";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { formatCount, formatHours } from "../../ui/numbers/format.ts";
import { pointsText } from "../trees/outline/outline-view.tsx";
import page from "./create-page.module.css";
import styles from "./sheet-preview.module.css";
import { sheetTexts as t } from "./sheet-texts.ts";

type Row = Preview["rows"][0];

/** Rows that are shown: to look at more, one looks at the file. */
const SHOWN = 500;
const INDENT_PX = 16;
/** Levels that are told apart by their indentation. */
const INDENTED = 12;

/** Row by row, what was understood of a spreadsheet. */
export function SheetPreview({ preview }: { readonly preview: Preview }) {
  const { sheet, otherSheets, columns, levels, rows, counts, hours } = preview;
  const others = columns.filter(({ field }) => field === null).map(({ name }) => name);
  const read = columns.flatMap(({ name, field, hoursPerUnit }) => (field ? [t.column(name, field, hoursPerUnit)] : []));
  return (
    <section className={page.preview} aria-label={t.preview}>
      <div className={page.previewHead}>
        <span className={styles.counts}>{t.counts(counts.questions, counts.options)}</span>
        {counts.leftOut > 0 && <span className="muted">{t.leftOut(counts.leftOut)}</span>}
        {hours && (
          <span>
            {t.expected} <strong>{formatHours(hours.expected)} h</strong>
          </span>
        )}
        {hours && (
          <span>
            P80 <strong>{formatHours(hours.p80)} h</strong>
          </span>
        )}
      </div>
      <p className={styles.about}>
        {sheet !== null && `${t.sheet(sheet, otherSheets)} `}
        {t.columns(read)} {others.length > 0 && `${t.otherColumns(others)} `}
        {t.levels[levels]}
      </p>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <div className={styles.rows} tabIndex={0}>
        <table className={table.table}>
          <TableHead columns={[t.head.row, t.head.title, t.head.meaning, t.head.hours, t.head.more]} />
          <tbody>
            {/* A row that also names a heading is there twice, on two levels. */}
            {rows.slice(0, SHOWN).map((row) => (
              <SheetRow key={`${row.row} ${row.level}`} row={row} />
            ))}
          </tbody>
        </table>
        {counts.rows > SHOWN && <p className={styles.more}>{t.more(counts.rows - SHOWN)}</p>}
      </div>
    </section>
  );
}

function SheetRow({
  row: { row, as, level, title, hours, quantity, unit, role, selected, note, fault },
}: {
  readonly row: Row;
}) {
  const times = quantity === 1 && unit === null ? null : `× ${quantity}${unit === null ? "" : ` ${unit}`}`;
  const more = [fault, note && t.notes[note], times, role && `@${role}`, selected === false && t.notSelected];
  const indent = Math.min(Math.max(level - 1, 0), INDENTED) * INDENT_PX;
  return (
    <tr className={styles[as]}>
      <td className={table.short} data-label={t.head.row}>
        {formatCount(row)}
      </td>
      <td className={table.main}>
        <span style={{ paddingLeft: indent }} className={styles.title}>
          {title}
        </span>
      </td>
      <td className={table.short}>{t.meanings[as]}</td>
      <td className={table.short} data-label={hours ? t.head.hours : undefined}>
        {hours && pointsText(hours)}
      </td>
      <td>{more.filter(Boolean).join(" · ")}</td>
    </tr>
  );
}
