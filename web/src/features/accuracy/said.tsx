import type { TaskAccuracy } from "../../../../contract/endpoints/accuracy.ts";
import { limits } from "../../../../contract/limits.ts";
import styles from "./accuracy-page.module.css";
import { accuracyTexts as t } from "./texts.ts";
import { biasOf, verdictOf } from "./verdict.ts";

/** What the figures say, in words. */
export function Said({ ranges, ratio, isCut }: Pick<TaskAccuracy, "ranges" | "ratio" | "isCut">) {
  return (
    <div className={styles.said}>
      <div>
        <strong>{rangesText(ranges)}</strong>
        <p className="muted">
          {ranges.low !== null && ranges.high !== null && t.ranges.chance(ranges.low, ranges.high)} {t.ranges.what}
        </p>
      </div>
      <div>
        <strong>{hoursText(ratio)}</strong>
        <p className="muted">
          {ratio.low !== null && ratio.high !== null && t.hours.chance(ratio.low, ratio.high)}{" "}
          {isCut && t.cut(limits.accuracyTasks)}
        </p>
      </div>
    </div>
  );
}

function rangesText(ranges: TaskAccuracy["ranges"]): string {
  const verdict = verdictOf(ranges);
  const { n, held, widenBy } = ranges;
  if (verdict === "unknown" || held === null || widenBy === null) {
    return t.ranges.unknown(n, limits.accuracyTasksMin);
  }
  return t.ranges[verdict](held, n, widenBy);
}

function hoursText(ratio: TaskAccuracy["ratio"]): string {
  const bias = biasOf(ratio);
  return bias === "unknown" || ratio.median === null ? t.hours.unknown(ratio.n) : t.hours[bias](ratio.median, ratio.n);
}
