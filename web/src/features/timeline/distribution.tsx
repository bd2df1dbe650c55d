import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import { formatDay, formatPercent } from "../../ui/numbers/format.ts";
import styles from "./distribution.module.css";
import { DAY_MS, dayOfDate } from "./scale.ts";
import { timelineTexts as t } from "./texts.ts";

const WIDTH = 240;
const HEIGHT = 74;
const FLOOR = 56;

/**
 * How likely a milestone is reached by each day: a line through what is known of it, from the planned date over those that 50, 80 and
 * 95 % of the simulated schedules keep; and the due date.
 */
export function Distribution({ milestone: { title, dueDate, forecast } }: { readonly milestone: Milestone }) {
  if (!forecast) return <p className={styles.none}>{t.notForecast(formatDay(dueDate))}</p>;
  const { planned, p50, p80, p95, probability } = forecast;
  const known = [
    ["p50", p50, 0.5],
    ["p80", p80, 0.8],
    ["p95", p95, 0.95],
  ] as const;
  const points = known.flatMap(([name, at, part]) => (at === null ? [] : { name, part, day: Date.parse(at) / DAY_MS }));
  const due = dayOfDate(dueDate) + 1;
  const days = [due, ...points.map(({ day }) => day), ...(planned ? [Date.parse(planned) / DAY_MS] : [])];
  const [low, high] = [Math.min(...days), Math.max(...days)];
  const margin = Math.max(1, (high - low) * 0.12);
  const x = (day: number) => ((day - low + margin) / (high - low + 2 * margin)) * WIDTH;
  const y = (part: number) => FLOOR - part * (FLOOR - 8);
  const [first] = points;
  // As far below the half as the 95 % are above it, at most: nothing more is known.
  const begin = first && { day: first.day - ((points.at(-1)?.day ?? first.day) - first.day) * 0.8, part: 0.05 };
  const line = [...(begin ? [begin] : []), ...points].map(
    ({ day, part }) => `${Math.round(x(day) * 10) / 10} ${Math.round(y(part) * 10) / 10}`,
  );
  return (
    <div className={styles.distribution}>
      <strong>{title}</strong>
      <p>{t.likely(probability, formatDay(dueDate))}</p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path className={styles.floor} d={`M0 ${FLOOR}H${WIDTH}`} />
        {line.length > 1 && <path className={styles.line} d={`M${line.join("L")}`} />}
        {points.map(({ name, day, part }) => (
          <circle key={name} className={styles.point} cx={x(day)} cy={y(part)} r={3} />
        ))}
        <path className={styles.due} d={`M${x(due)} 4V${FLOOR}`} />
        <text x={x(due)} y={HEIGHT - 4} textAnchor={x(due) > WIDTH / 2 ? "end" : "start"} className={styles.label}>
          {t.due} · {t.isLikely(formatPercent(probability))}
        </text>
      </svg>
      <dl>
        {(["planned", "p50", "p80", "p95"] as const).map((name) => (
          <div key={name}>
            <dt>{t.figures[name]}</dt>
            <dd>{forecast[name] === null ? t.later : formatDay(forecast[name])}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
