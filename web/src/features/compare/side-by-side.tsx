import { limits } from "../../../../contract/limits.ts";
import { IconClose } from "../../ui/icons.tsx";
import table from "../../ui/lists/table.module.css";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { formatCount, formatHours, formatMoney } from "../../ui/numbers/format.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Choices, OtherEstimations } from "./choices.ts";
import styles from "./compare.module.css";
import { ContentSelect } from "./content-select.tsx";
import type { Figures } from "./figures.ts";
import { figuresOfContent } from "./figures.ts";
import type { Content } from "./queries.ts";
import { compareTexts as t } from "./texts.ts";

/** One of the contents that are shown. */
export interface Shown {
  readonly id: string;
  readonly name: string;
  /** Undefined while it loads, and where it cannot be loaded. */
  readonly content: Content | undefined;
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
}

interface SideBySideProps {
  readonly choices: Choices;
  readonly estimations: OtherEstimations;
  /** The first two are those that are compared above. */
  readonly shown: readonly Shown[];
  /** Called with the ids of the other columns. */
  readonly onShow: (ids: readonly string[]) => void;
}

/** The figures of up to five contents in columns. */
export function SideBySide({ choices, estimations, shown, onShow }: SideBySideProps) {
  const columns = shown.map((one) => ({ ...one, figures: one.content && figuresOfContent(one.content) }));
  const others = shown.slice(2);
  const ids = shown.map(({ id }) => id);
  const rows: readonly (readonly [string, (figures: Figures) => string])[] = [
    ...(["expected", "p50", "p80", "p95"] as const).map(
      (name) => [t.rows[name], ({ hours }: Figures) => formatHours(hours[name])] as const,
    ),
    [t.rows.options, ({ countedOptions }) => formatCount(countedOptions)],
    ...(columns.some(({ figures }) => figures?.cost) ? [[t.rows.cost, costText] as const] : []),
  ];
  return (
    <section aria-label={t.sideBySide} className={styles.sideBySide}>
      <h2>{t.sideBySide}</h2>
      <div className={styles.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <td />
              {columns.map(({ id, name }) => (
                <th key={id} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([row, textOf]) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {columns.map(({ id, name, figures, query }) => (
                  <td key={id} className="number" data-label={name}>
                    {figures ? textOf(figures) : query.error === null ? "" : NONE}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others.length > 0 && (
        <ul aria-label={t.added} className={styles.added}>
          {others.map(({ id, name, query }) => (
            <li key={id}>
              {name}
              <ToolButton
                label={t.remove(name)}
                className={styles.remove}
                onPress={() => onShow(others.flatMap((other) => (other.id === id ? [] : [other.id])))}
              >
                <IconClose size={12} />
              </ToolButton>
              <LoadFailure query={query} />
            </li>
          ))}
        </ul>
      )}
      {ids.length < limits.comparedVersions && (
        <ContentSelect
          label={t.add}
          choices={choices}
          estimations={estimations}
          without={ids}
          value=""
          onPick={(id) => onShow([...others.map((other) => other.id), id])}
        />
      )}
    </section>
  );
}

const NONE = "–";

const costText = ({ cost }: Figures): string => (cost ? formatMoney(cost.p80, cost.currency) : NONE);
