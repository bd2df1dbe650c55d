import { Delta } from "../../ui/numbers/delta.tsx";
import { type MarkedTree, stopsOf } from "../trees/marked/marked-tree.ts";
import { markedTexts } from "../trees/marked/texts.ts";
import { valueText } from "../trees/marked/value-text.ts";
import styles from "./compare.module.css";
import { compareTexts as t } from "./texts.ts";

interface PrintedProps {
  readonly marked: MarkedTree;
  readonly titleOf: (id: string) => string | undefined;
}

/** Every change as a line in the order of the tree, on paper only: the tree on the screen has no more lines than fit. */
export function PrintedChanges({ marked, titleOf }: PrintedProps) {
  const text = (value: unknown) => valueText(value, (of) => titleOf(of) ?? of);
  return (
    <table className={styles.printed}>
      <caption>{t.printed}</caption>
      <thead>
        <tr>
          <th>{t.columns.what}</th>
          <th>{t.columns.kind}</th>
          <th>{t.columns.detail}</th>
          <th className="number">{t.columns.hours}</th>
        </tr>
      </thead>
      <tbody>
        {stopsOf(marked).map((id) => {
          const { kinds = [], changes = [], hoursDelta = 0 } = marked.marks.get(id) ?? {};
          return (
            <tr key={id}>
              <td>{titleOf(id)}</td>
              <td>{kinds.map((kind) => markedTexts.kinds[kind][1]).join(", ")}</td>
              <td>
                {changes
                  .map(({ field, before, after }) => `${markedTexts.field(field)}: ${text(before)} → ${text(after)}`)
                  .join("; ")}
              </td>
              <td className="number">{hoursDelta !== 0 && <Delta hours={hoursDelta} />}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
