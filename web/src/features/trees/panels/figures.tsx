import { UnstyledButton } from "@mantine/core";
import { memo, useDeferredValue, useMemo } from "react";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { described } from "../../../ui/hinted.ts";
import { formatHours, formatMoney, formatPercent } from "../../../ui/numbers/format.ts";
import { treeTexts } from "../texts.ts";
import { Curve } from "./curve.tsx";
import styles from "./figures.module.css";
import { swingsOf } from "./swings.ts";

const t = treeTexts.estimation;
const PERCENTILES = ["p50", "p90", "p95"] as const;
const SHOWN_DRIVERS = 6;

interface FiguresProps {
  readonly hours: RollUp;
  readonly tree: Tree;
  readonly onGoTo: (id: string) => void;
  /** Left out where nothing explains it. */
  readonly onExplain?: () => void;
  /** Has people estimate what makes it uncertain; left out for who may not. */
  readonly onTogether?: (() => void) | undefined;
}

/** How likely each total is, and what makes it uncertain. */
export const Figures = memo(({ hours, tree, onGoTo, onExplain, onTogether }: FiguresProps) => {
  const { p80, expected, rate } = hours;
  // The figures change with the edit itself, the pictures right after it.
  const settled = useDeferredValue(hours);
  const drawn = useDeferredValue(tree);
  return (
    <>
      <Curve hours={settled} />
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
      {onExplain && (
        <UnstyledButton className={styles.explain} onClick={onExplain}>
          {t.explain}
        </UnstyledButton>
      )}
      <Tornado tree={drawn} uncertainty={settled.uncertainty} onGoTo={onGoTo} onTogether={onTogether} />
    </>
  );
});

interface TornadoProps extends Pick<RollUp, "uncertainty">, Pick<FiguresProps, "tree" | "onGoTo" | "onTogether"> {}

/** The options that move the total most: how far down with their low hours, how far up with their high ones. */
const Tornado = memo(({ tree, uncertainty, onGoTo, onTogether }: TornadoProps) => {
  const swings = useMemo(() => swingsOf(tree, uncertainty, SHOWN_DRIVERS), [tree, uncertainty]);
  if (swings.length === 0) return null;
  const less = Math.max(...swings.map((swing) => -swing.less));
  const more = Math.max(...swings.map((swing) => swing.more));
  const percent = (hours: number) => `${(100 * hours) / (less + more || 1)}%`;
  return (
    <>
      <h2 className={styles.title}>{t.uncertain}</h2>
      <ol className={styles.drivers}>
        {swings.map((swing) => (
          <li key={swing.optionId}>
            <UnstyledButton
              className={styles.driver}
              {...described(t.shareHint)}
              onClick={() => onGoTo(swing.optionId)}
            >
              <span className={styles.name} data-cut>
                {swing.title}
              </span>
              <span className="number">{formatPercent(swing.share)}</span>
              <span className={styles.bars} aria-hidden="true">
                <span
                  className={styles.less}
                  style={{ left: percent(less + swing.less), width: percent(-swing.less) }}
                />
                <span className={styles.more} style={{ left: percent(less), width: percent(swing.more) }} />
              </span>
              <span className={styles.swing}>
                <span>−{formatHours(-swing.less)} h</span>
                <span>+{formatHours(swing.more)} h</span>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      {onTogether && (
        <UnstyledButton className={styles.explain} onClick={onTogether}>
          {treeTexts.editor.together}
        </UnstyledButton>
      )}
    </>
  );
});
