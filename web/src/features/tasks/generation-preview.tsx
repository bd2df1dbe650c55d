import { useMemo } from "react";
import type { GenerationSummary, Task } from "../../../../contract/endpoints/tasks.ts";
import type { EstimationStatus } from "../../../../contract/values/statuses.ts";
import { formatExactHours } from "../../ui/numbers/format.ts";
import { depthsOf } from "./indents.ts";
import styles from "./tasks.module.css";
import { taskTexts as t } from "./texts.ts";

const SHOWN = 200;
const INDENT_PX = 14;
const COUNTS = ["created", "updated", "removed", "obsolete", "unchanged"] as const;

interface PreviewProps {
  readonly generation: { readonly tasks: readonly Task[]; readonly summary: GenerationSummary };
  /** The tasks as they are; null if not all of them are at hand. */
  readonly known: readonly Task[] | null;
  readonly status: EstimationStatus;
}

/** What generating would do, by counts, and the tasks that there are afterwards. */
export function GenerationPreview({ generation: { tasks, summary }, known, status }: PreviewProps) {
  const depths = useMemo(() => depthsOf(tasks), [tasks]);
  const before = useMemo(() => known && new Map(known.map((task) => [task.id, task])), [known]);
  const counts = COUNTS.filter((name) => summary[name] > 0);
  const changesNothing = counts.every((name) => name === "unchanged") && summary.conflicts.length === 0;
  const edited = tasks.filter((task) => task.edited && task.status === "open").length;
  return (
    <>
      {changesNothing ? (
        <p>{edited > 0 ? t.nothingButEdited(edited) : t.nothing}</p>
      ) : (
        <ul className={styles.counts}>
          {counts.map((name) => (
            <li key={name}>{t.counted[name](summary[name])}</li>
          ))}
        </ul>
      )}
      {status === "draft" && <p className="muted">{t.draftHint}</p>}
      {status === "submitted" && <p className="muted">{t.submittedHint}</p>}
      {tasks.length > 0 && (
        // The list scrolls, so the keyboard has to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <section aria-label={t.result} className={styles.preview} tabIndex={0}>
          <ul>
            {tasks.slice(0, SHOWN).map((task) => (
              <li key={task.id} style={{ paddingLeft: (depths.get(task.id) ?? 0) * INDENT_PX }}>
                <span>{task.title}</span>
                <ChangeMark task={task} before={before} />
                <span className="number">{task.hours !== null && formatExactHours(task.hours)}</span>
              </li>
            ))}
            {tasks.length > SHOWN && <li className="muted">{t.more(tasks.length - SHOWN)}</li>}
          </ul>
        </section>
      )}
    </>
  );
}

const FIELDS = ["title", "description", "hours", "role", "status", "parentTaskId"] as const;

interface MarkProps {
  readonly task: Task;
  readonly before: ReadonlyMap<string, Task> | null;
}

function ChangeMark({ task, before }: MarkProps) {
  if (before === null) return null;
  const former = before.get(task.id);
  if (former === undefined) return <span className={styles.mark}>{t.isNew}</span>;
  if (task.status === "obsolete" && former.status !== "obsolete")
    return <span className={styles.mark}>{t.obsolete}</span>;
  const isChanged = FIELDS.some((name) => former[name] !== task[name]);
  return isChanged ? <span className={styles.mark}>{t.isChanged}</span> : null;
}
