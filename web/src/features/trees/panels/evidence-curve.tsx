import type { Suggestion } from "../../../../../contract/endpoints/suggestions.ts";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { formatHours } from "../../../ui/numbers/format.ts";
import curve from "./curve.module.css";
import { curveShape } from "./curve-shape.ts";
import styles from "./evidence-curve.module.css";
import { panelTexts } from "./panel-texts.ts";

const t = panelTexts.suggestion;
const [WIDTH, HEIGHT] = [250, 64];
/** Below the curve, for the ends of the scale. */
const AXIS = 14;

interface EvidenceCurveProps {
  /** Of the tree as it is. */
  readonly now: RollUp;
  readonly suggested: NonNullable<Suggestion["hours"]>;
}

/** The range that is suggested, from P10 to P90, over the curve of the hours as they are. */
export function EvidenceCurve({ now, suggested: { p10, p50, p90 } }: EvidenceCurveProps) {
  const shape = curveShape(now, WIDTH, HEIGHT, [p10 * 0.95, p90 * 1.05]);
  return (
    <figure className={styles.figure}>
      {shape && <Drawing shape={shape} range={[p10, p50, p90]} now={now} />}
      <figcaption>
        {shape && t.legend} {t.range(formatHours(p10), formatHours(p90), formatHours(p50))}
      </figcaption>
    </figure>
  );
}

interface DrawingProps {
  readonly shape: NonNullable<ReturnType<typeof curveShape>>;
  readonly range: readonly [number, number, number];
  readonly now: RollUp;
}

function Drawing({ shape: { left, right, placeX, placeY, outline, area }, range, now: { p50, p80 } }: DrawingProps) {
  const [from, middle, to] = range.map(placeX) as [number, number, number];
  const y = HEIGHT / 2;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + AXIS}`} className={styles.drawing} aria-hidden="true">
      <path className={curve.likely} d={area(left, Math.max(p80, left))} />
      <path className={curve.line} d={`M${outline(left, right)}`} />
      <path className={curve.median} d={`M${placeX(p50)} ${placeY(p50)}V${HEIGHT - 2}`} />
      <path className={curve.ground} d={`M0 ${HEIGHT - 1.5}H${WIDTH}`} />
      <rect className={styles.band} x={from} width={to - from} y={2} height={HEIGHT - 4} />
      <path className={styles.range} d={`M${from} ${y}H${to}M${from} ${y - 6}v12M${to} ${y - 6}v12`} />
      <circle className={styles.middle} cx={middle} cy={y} r={4} />
      <text className={curve.label} x={0} y={HEIGHT + 11}>
        {formatHours(left)} h
      </text>
      <text className={curve.label} x={WIDTH} y={HEIGHT + 11} textAnchor="end">
        {formatHours(right)} h
      </text>
    </svg>
  );
}
