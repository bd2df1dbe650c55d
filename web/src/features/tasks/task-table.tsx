import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Task } from "../../../../contract/endpoints/tasks.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { described, hinted } from "../../ui/hinted.ts";
import { IconMore } from "../../ui/icons.tsx";
import table from "../../ui/lists/table.module.css";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { formatDay, formatExactHours } from "../../ui/numbers/format.ts";
import { TextButton } from "../../ui/text-button.tsx";
import { ActualHours } from "./actual-hours.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { depthsOf } from "./indents.ts";
import { reloadTasks, serverNow } from "./queries.ts";
import styles from "./tasks.module.css";
import { taskTexts as t } from "./texts.ts";
import { useTaskChange } from "./use-task-changes.ts";

const INDENT_PX = 18;

interface TableProps {
  readonly estimationId: string;
  readonly tasks: readonly Task[];
  readonly canEdit: boolean;
}

export function TaskTable({ estimationId, tasks, canEdit }: TableProps) {
  const queries = useQueryClient();
  const depths = useMemo(() => depthsOf(tasks), [tasks]);
  const [asked, setAsked] = useState<{ readonly what: "edit" | "remove"; readonly task: Task } | null>(null);
  const remove = useMutation({
    mutationFn: ({ id: taskId }: Task) => api.deleteTask({ params: { id: estimationId, taskId } }),
    onSuccess: () => setAsked(null),
    onSettled: () => reloadTasks(queries, estimationId),
  });
  return (
    <section aria-label={t.list}>
      <table className={`${table.table} ${styles.tasks}`}>
        <thead>
          <tr>
            <th scope="col">{t.columns.done}</th>
            <th scope="col">{t.columns.title}</th>
            <th scope="col">{t.columns.role}</th>
            <th scope="col" className="number" {...hinted(t.columns.hoursHint)}>
              {t.columns.hours}
            </th>
            <th scope="col" className="number" {...hinted(t.columns.actualHint)}>
              {t.columns.actual}
            </th>
            <th scope="col">{t.columns.issue}</th>
            <th scope="col">
              <span className="unseen">{t.columns.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <Row
              key={task.id}
              task={task}
              depth={depths.get(task.id) ?? 0}
              canEdit={canEdit}
              estimationId={estimationId}
              onAsk={(what) => {
                remove.reset();
                setAsked({ what, task });
              }}
            />
          ))}
        </tbody>
      </table>
      {asked?.what === "edit" && (
        <EditDialog estimationId={estimationId} task={asked.task} onClose={() => setAsked(null)} />
      )}
      {asked?.what === "remove" && (
        <Confirm
          title={t.removeTitle(asked.task.title)}
          text={t.removeText}
          action={t.remove}
          request={remove}
          onConfirm={() => remove.mutate(asked.task)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

interface RowProps {
  readonly task: Task;
  readonly depth: number;
  readonly canEdit: boolean;
  readonly estimationId: string;
  readonly onAsk: (what: "edit" | "remove") => void;
}

function Row({ estimationId, task, depth, canEdit, onAsk }: RowProps) {
  // One each for the box and the hours: neither waits for the other, nor hides that the other failed.
  const change = useTaskChange(estimationId, task.id);
  const measure = useTaskChange(estimationId, task.id);
  const failed = change.error ?? measure.error;
  const { title, role, hours, actualHours, doneAt, droppedAt, status, edited } = task;
  // Shows the value being saved; if saving fails, shows the stored value again, with the reason.
  const asked = change.isPending ? change.variables.doneAt : undefined;
  const isDone = (asked === undefined ? doneAt : asked) !== null;
  return (
    <tr className={status === "obsolete" || droppedAt !== null ? styles.obsolete : undefined}>
      <td className={styles.done}>
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label={t.doneOf(title)}
            checked={isDone}
            disabled={!canEdit}
            onChange={({ currentTarget: { checked } }) =>
              change.mutate({ doneAt: checked ? serverNow().toISOString() : null })
            }
          />
        </label>
      </td>
      <td className={`${table.main} ${styles.title}`} style={{ paddingLeft: 12 + depth * INDENT_PX }}>
        {canEdit ? (
          <TextButton className={styles.open} onClick={() => onAsk("edit")}>
            {title}
          </TextButton>
        ) : (
          title
        )}
        {status === "obsolete" && <Mark text={t.obsolete} hint={t.obsoleteHint} isStop={!canEdit} />}
        {edited && <Mark text={t.edited} hint={t.editedHint} isStop={!canEdit} />}
        {droppedAt !== null && <Mark text={t.dropped} hint={t.droppedHint(formatDay(droppedAt))} isStop={!canEdit} />}
        {doneAt !== null && <Mark text={formatDay(doneAt)} hint={t.doneAt} isStop={!canEdit} />}
        {failed !== null && (
          <span role="alert" className={styles.fault}>
            {failureText(failed)}
          </span>
        )}
      </td>
      <td className={styles.role}>{role}</td>
      <td className={`number ${styles.hours}`}>{hours !== null && formatExactHours(hours)}</td>
      <td className={`number ${styles.actual}`} data-label={t.columns.actual}>
        {canEdit ? (
          <ActualHours
            label={t.actualOf(title)}
            hours={actualHours}
            onChange={(next, onEnd) =>
              measure.mutate({ actualHours: next }, { onSettled: (_, error) => onEnd(error === null) })
            }
          />
        ) : (
          actualHours !== null && formatExactHours(actualHours)
        )}
      </td>
      <td className={styles.issue}>
        <Issue task={task} />
      </td>
      <td className={table.actions}>
        {canEdit && (
          <Menu label={t.menu(title)} button={<IconMore />}>
            <MenuItem onChoose={() => onAsk("edit")}>{t.edit}…</MenuItem>
            <MenuItem onChoose={() => onAsk("remove")}>{t.remove}…</MenuItem>
          </Menu>
        )}
      </td>
    </tr>
  );
}

interface MarkProps {
  readonly text: string;
  readonly hint: string;
  /** Whether the keyboard stops here, as no control is in the row. */
  readonly isStop: boolean;
}

const Mark = ({ text, hint, isStop }: MarkProps) => (
  <span className={styles.mark} {...(isStop ? hinted : described)(hint)}>
    {text}
  </span>
);

function Issue({ task: { externalRef } }: { readonly task: Task }) {
  if (externalRef === null) return null;
  const { target, key, url } = externalRef;
  const name = `${t.trackers[target]} ${target === "github" ? `#${key.replace(/^.*#/, "")}` : key}`;
  // The address comes from the tracker, so only http(s) addresses are linked.
  if (!/^https?:\/\//.test(url)) return name;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  );
}
