import type { Task } from "../../../../contract/endpoints/tasks.ts";
import { formatExactHours } from "../../ui/numbers/format.ts";
import { type Choices, type Conflict, keyOf, type Side } from "./decisions.ts";
import styles from "./tasks.module.css";
import { taskTexts as t } from "./texts.ts";

const SIDES = ["yours", "theirs"] as const;
const SHOWN = 200;

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly tasks: readonly Task[];
  readonly choices: Choices;
  readonly onChoose: (conflict: Conflict, side: Side) => void;
}

/** Fields that people changed here and that the tree has changed since: which value to keep. */
export function ConflictChoices({ conflicts, tasks, choices, onChoose }: ConflictsProps) {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  return (
    <div className={styles.conflicts}>
      <p>{t.conflicts(new Set(conflicts.map(({ taskId }) => taskId)).size)}</p>
      {conflicts.slice(0, SHOWN).map((conflict) => {
        const key = keyOf(conflict);
        return (
          <fieldset key={key} className={styles.conflict}>
            <legend>
              {titles.get(conflict.taskId)} <span className="muted">{t.fields[conflict.field]}</span>
            </legend>
            {SIDES.map((side) => (
              <label key={side} className={styles.side}>
                <input
                  type="radio"
                  name={key}
                  checked={(choices[key] ?? "yours") === side}
                  onChange={() => onChoose(conflict, side)}
                />
                <span>
                  <span className="muted">{t[side]}:</span> {valueText(conflict[side])}
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
      {conflicts.length > SHOWN && <p className="muted">{t.conflictsLeft(conflicts.length - SHOWN)}</p>}
    </div>
  );
}

function valueText(value: string | number | null): string {
  if (value === null || value === "") return t.none;
  return typeof value === "number" ? formatExactHours(value) : value;
}
