import type { RollUp } from "../../../../domain/tree/roll-up.ts";
import { texts } from "../../texts.ts";
import { formatHours, formatMoney, formatPercent } from "../../ui/format.ts";
import { Curve } from "./curve.tsx";
import styles from "./estimate-panel.module.css";

const t = texts.estimation;
const PERCENTILES = ["p50", "p90", "p95"] as const;
const SHOWN_DRIVERS = 5;

/** The estimate: one large figure, the others smaller, and what makes it uncertain. */
export function EstimatePanel({ hours }: { readonly hours: RollUp }) {
  const { p80, expected, uncertainty, rate } = hours;
  const drivers = uncertainty.filter(({ share }) => share > 0).slice(0, SHOWN_DRIVERS);
  return (
    <aside className={styles.panel} aria-label={t.estimate}>
      <p className={styles.p80} title={t.p80Long}>
        <strong>{formatHours(p80)}</strong> h
      </p>
      <p className="muted">{t.p80}</p>
      <Curve hours={hours} />
      <dl className={styles.figures}>
        {PERCENTILES.map((name) => (
          <div key={name}>
            <dt>{t.percentiles[name]}</dt>
            <dd>{formatHours(hours[name])}</dd>
          </div>
        ))}
        <div>
          <dt>{t.expected}</dt>
          <dd>{formatHours(expected)}</dd>
        </div>
        {rate && (
          <div className={styles.cost}>
            <dt>{t.cost}</dt>
            <dd>{formatMoney(p80 * rate.hourlyRate, rate.currency)}</dd>
          </div>
        )}
      </dl>
      {drivers.length > 0 && (
        <>
          <h2>{t.uncertain}</h2>
          <ol className={styles.drivers}>
            {drivers.map(({ optionId, title, share }) => (
              <li key={optionId}>
                <span className={styles.driver} title={title}>
                  {title}
                </span>
                <span className="number">{formatPercent(share)}</span>
                <meter className={styles.bar} min={0} max={drivers[0]?.share ?? 1} value={share} aria-label={title} />
              </li>
            ))}
          </ol>
        </>
      )}
    </aside>
  );
}
