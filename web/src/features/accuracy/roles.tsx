import type { TaskAccuracy } from "../../../../contract/endpoints/accuracy.ts";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { formatCount, formatPercent } from "../../ui/numbers/format.ts";
import styles from "./accuracy-page.module.css";
import charts from "./charts.module.css";
import { accuracyTexts, formatFactor } from "./texts.ts";
import { verdictOf } from "./verdict.ts";

const t = accuracyTexts.roles;
const { columns } = t;

/** The same for each role, in words where there are too few tasks. */
export const Roles = ({ roles }: { readonly roles: TaskAccuracy["roles"] }) => (
  <section className={styles.roles}>
    <h2>{t.title}</h2>
    <table className={table.table} aria-label={t.title}>
      <TableHead columns={Object.values(columns)} />
      <tbody>
        {roles.map(({ role, ratio, ranges }) => (
          <tr key={role ?? ""}>
            <td className={table.main}>{role ?? t.none}</td>
            <td data-label={columns.count}>{formatCount(ratio.n)}</td>
            <td data-label={columns.ratio}>
              <Ratio ratio={ratio} />
            </td>
            <td data-label={columns.held}>
              <Held ranges={ranges} />
            </td>
            <td data-label={columns.advice}>{adviceFor(ranges)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

function Ratio({ ratio: { median, low, high } }: Pick<TaskAccuracy, "ratio">) {
  if (median === null || low === null || high === null) return accuracyTexts.unknown;
  return (
    <>
      {formatFactor(median)} <Interval low={formatFactor(low)} high={formatFactor(high)} />
    </>
  );
}

function Held({ ranges: { n, held, low, high } }: Pick<TaskAccuracy, "ranges">) {
  if (held === null || low === null || high === null) return accuracyTexts.unknown;
  return (
    <>
      {t.of(held, n)} <Interval low={formatPercent(low)} high={formatPercent(high)} />
    </>
  );
}

const Interval = ({ low, high }: { readonly low: string; readonly high: string }) => (
  <span className={charts.interval}>({accuracyTexts.between(low, high)})</span>
);

function adviceFor(ranges: TaskAccuracy["ranges"]): string {
  const verdict = verdictOf(ranges);
  const advice = t.advice[verdict];
  return typeof advice === "string" ? advice : advice(ranges.widenBy ?? 1);
}
