import { useMemo } from "react";
import type { RollUp } from "../../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";
import { formatHours, formatMoney, formatPercent } from "../../ui/numbers/format.ts";
import { Curve } from "../trees/panels/curve.tsx";
import { unfinished } from "../trees/panels/headline.ts";
import { swingsOf } from "../trees/panels/swings.ts";
import { treeTexts } from "../trees/texts.ts";
import styles from "./print.module.css";
import { PrintedTable } from "./printed-table.tsx";
import { printTexts as t } from "./texts.ts";

const texts = treeTexts.estimation;
const PERCENTILES = ["p50", "p90", "p95"] as const;
const ROLE_PERCENTILES = ["p50", "p80", "p95"] as const;
/** As many as fit beside the rest of a page. */
const SHOWN_DRIVERS = 10;

interface FiguresProps {
  readonly hours: RollUp;
  readonly tree: Tree;
}

/** The total, how likely it is, and the curve of it. */
export function Estimate({ hours, tree }: FiguresProps) {
  const { p80, expected, rate } = hours;
  const open = useMemo(() => unfinished(tree, p80), [tree, p80]);
  const figures = [
    ...PERCENTILES.map((name) => [texts.percentiles[name], formatHours(hours[name])]),
    [texts.expected, formatHours(expected)],
    ...(rate ? [[texts.cost, formatMoney(p80 * rate.hourlyRate, rate.currency)]] : []),
  ];
  return (
    <section className={styles.estimate}>
      <h2>{t.parts.estimate}</h2>
      <div>
        <p className={styles.p80}>
          <strong>{formatHours(p80)}</strong> h
        </p>
        <p className="muted">{open ? open.text : texts.p80}</p>
        <dl className={styles.figures}>
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={styles.curve}>
        <Curve hours={hours} />
      </div>
    </section>
  );
}

/** The options that move the total most, with by how much. */
export function Drivers({ hours: { uncertainty }, tree }: FiguresProps) {
  const swings = useMemo(() => swingsOf(tree, uncertainty, SHOWN_DRIVERS), [tree, uncertainty]);
  if (swings.length === 0) return null;
  const less = Math.max(...swings.map((swing) => -swing.less));
  const more = Math.max(...swings.map((swing) => swing.more));
  const percent = (hours: number) => `${(100 * hours) / (less + more || 1)}%`;
  const others = uncertainty.filter(({ share }) => share > 0).length - swings.length;
  return (
    <>
      <PrintedTable title={t.parts.drivers} columns={[t.option]} figures={[t.share, t.less, null, t.more]}>
        {swings.map((swing) => (
          <tr key={swing.optionId}>
            <th scope="row">{swing.title}</th>
            <td className="number">{formatPercent(swing.share)}</td>
            <td className="number">−{formatHours(-swing.less)}</td>
            <td className={styles.range}>
              <span className={styles.bars} aria-hidden="true">
                <span
                  className={styles.less}
                  style={{ left: percent(less + swing.less), width: percent(-swing.less) }}
                />
                <span className={styles.more} style={{ left: percent(less), width: percent(swing.more) }} />
              </span>
            </td>
            <td className="number">+{formatHours(swing.more)}</td>
          </tr>
        ))}
      </PrintedTable>
      {others > 0 && <p className={`muted ${styles.rest}`}>{t.rest(others)}</p>}
    </>
  );
}

/** How many hours each role has, where there are roles. */
export function Roles({ hours: { byRole } }: Pick<FiguresProps, "hours">) {
  if (byRole.every(({ role }) => role === null)) return null;
  return (
    <PrintedTable
      title={t.parts.roles}
      columns={[t.role]}
      figures={[texts.expected, ...ROLE_PERCENTILES.map((name) => name.toUpperCase())]}
    >
      {byRole.map((figures) => (
        <tr key={figures.role}>
          <th scope="row">{figures.role ?? t.noRole}</th>
          <td className="number">{formatHours(figures.expected)}</td>
          {ROLE_PERCENTILES.map((name) => (
            <td key={name} className="number">
              {formatHours(figures[name])}
            </td>
          ))}
        </tr>
      ))}
    </PrintedTable>
  );
}
