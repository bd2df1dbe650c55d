import type { Dependency, Timeline } from "../../../../contract/endpoints/timelines.ts";
import { limits } from "../../../../contract/limits.ts";
import { dependencyTypes } from "../../../../contract/values/dependency-types.ts";
import { described } from "../../ui/hinted.ts";
import { IconClose } from "../../ui/icons.tsx";
import { Input } from "../../ui/input.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { Select } from "../../ui/select.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Row } from "./rows.ts";
import styles from "./task-panel.module.css";
import { timelineTexts } from "./texts.ts";
import { type Changes, listChange } from "./use-changes.ts";

const t = timelineTexts.task;

interface PanelProps {
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly timeline: Timeline;
  /** Null where nothing can be changed. */
  readonly changes: Changes | null;
  readonly onLink: (from: string, to: string) => void;
  /** Whether its bar can be moved. */
  readonly isMovable: boolean;
  /** Null where no other task can wait for it. */
  readonly onStartLinking: (() => void) | null;
  readonly onSelect: (id: string) => void;
}

/** The selected task: when it is worked on, and what it waits for. */
export function TaskPanel({ row, rows, timeline, changes, isMovable, onLink, onStartLinking, onSelect }: PanelProps) {
  const { id, title, start, end, isGroup, isCritical, slackHours } = row;
  const titles = new Map(rows.map((each) => [each.id, each.title]));
  const waits = timeline.dependencies.filter(({ to }) => to === id);
  const replace = (before: Dependency, after: Dependency | null) => {
    const [old, next] = [[before], after ? [after] : []];
    changes?.run(
      listChange("dependencies", { add: next, remove: old }),
      listChange("dependencies", { add: old, remove: next }),
    );
  };
  return (
    <section aria-label={t.selected} className={styles.panel}>
      <h2>{title}</h2>
      {start && end && (
        <p>
          {formatDay(start)} – {formatDay(end)}
          {!isGroup && <span className="muted"> · {isCritical ? timelineTexts.critical : t.slack(slackHours)}</span>}
        </p>
      )}
      {!isGroup && (
        <>
          <h3>{t.waitsFor}</h3>
          {waits.length === 0 && <p className="muted">{t.nothing}</p>}
          <ul>
            {waits.map((link) => {
              const name = titles.get(link.from) ?? link.from;
              return (
                <li key={`${link.from} ${link.type}`}>
                  <TextButton className={styles.name} onClick={() => onSelect(link.from)}>
                    {name}
                  </TextButton>
                  <Select
                    aria-label={t.typeOf(name)}
                    value={link.type}
                    disabled={!changes}
                    onChange={({ currentTarget }) =>
                      replace(link, { ...link, type: currentTarget.value as Dependency["type"] })
                    }
                  >
                    {dependencyTypes.map((type) => (
                      <option key={type} value={type}>
                        {t.types[type]}
                      </option>
                    ))}
                  </Select>
                  <label className={styles.lag}>
                    +
                    <Input
                      // A change from elsewhere shows, too.
                      key={link.lagHours}
                      type="number"
                      min={0}
                      max={limits.lagHoursMax}
                      step="any"
                      aria-label={t.lagOf(name)}
                      defaultValue={link.lagHours}
                      disabled={!changes}
                      onBlur={({ currentTarget: { valueAsNumber, validity } }) => {
                        const lagHours = Math.round(valueAsNumber * 100) / 100;
                        if (validity.valid && lagHours >= 0 && lagHours !== link.lagHours)
                          replace(link, { ...link, lagHours });
                      }}
                      onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
                    />
                    h
                  </label>
                  {changes && (
                    <ToolButton label={t.removeLink(name)} look="small" onPress={() => replace(link, null)}>
                      <IconClose size={14} />
                    </ToolButton>
                  )}
                </li>
              );
            })}
          </ul>
          {isMovable && <p className="muted">{t.moveHint}</p>}
          {changes && start && (
            <div className={styles.adding}>
              <label>
                {t.addWait}{" "}
                <Select value="" onChange={({ currentTarget }) => onLink(currentTarget.value, id)}>
                  <option value="">{t.choose}</option>
                  {rows
                    .filter((each) => each.id !== id && each.start !== null && !each.isGroup)
                    .map((each) => (
                      <option key={each.id} value={each.id}>
                        {each.title}
                      </option>
                    ))}
                </Select>
              </label>
              {onStartLinking && (
                <TextButton {...described(t.linkKey)} onClick={onStartLinking}>
                  {t.link}
                </TextButton>
              )}
            </div>
          )}
        </>
      )}
    </section>
  );
}
