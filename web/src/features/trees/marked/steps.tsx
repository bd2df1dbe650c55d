import { IconDown, IconUp } from "../../../ui/icons.tsx";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { Toolbar } from "../../../ui/toolbar.tsx";
import styles from "./steps.module.css";
import { markedTexts as t } from "./texts.ts";
import type { MarkedView } from "./use-marked.ts";

/** Steps through the changes: "3 of 9", back and forth, and whether only they show. */
export function Steps({ view, only }: { readonly view: MarkedView; readonly only: string }) {
  const { stops, line, isOnly, setOnly, step } = view;
  const at = line ? stops.indexOf(line.id) + 1 : 0;
  const button = (by: 1 | -1, label: string) => (
    <ToolButton label={label} look="boxed" disabled={stops.length === 0} onPress={() => step(by)}>
      {by === 1 ? <IconDown /> : <IconUp />}
    </ToolButton>
  );
  return (
    <Toolbar label={t.stepping} className={styles.steps}>
      <span className="number" aria-live="polite">
        {stops.length === 0 ? t.noSteps : at > 0 ? t.step(at, stops.length) : t.steps(stops.length)}
      </span>
      {button(-1, t.previous)}
      {button(1, t.next)}
      <label className={styles.only}>
        <input type="checkbox" checked={isOnly} onChange={({ currentTarget }) => setOnly(currentTarget.checked)} />
        {only}
      </label>
    </Toolbar>
  );
}
