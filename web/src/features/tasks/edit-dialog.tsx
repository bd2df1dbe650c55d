import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import type { Task, TaskChanges } from "../../../../contract/tasks.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { texts } from "../../texts.ts";
import { taskTexts as t } from "../../texts-of-tasks.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { serverNow } from "./queries.ts";
import { changesIn, localDay, type TaskFields, writtenOf } from "./task-fields.ts";
import styles from "./tasks.module.css";
import { useTaskChange } from "./use-task-changes.ts";

interface EditProps {
  readonly estimationId: string;
  readonly task: Task;
  readonly onClose: () => void;
}

/** Everything of a task that can be edited. */
export function EditDialog({ estimationId, task, onClose }: EditProps) {
  const change = useTaskChange(estimationId, task.id);
  const [unreadable, setUnreadable] = useState<Readonly<Record<string, string>>>({});
  const written = writtenOf(task);
  const faults = { ...faultsByField(change.error), ...unreadable };
  const save = (form: FormData) => {
    const fields = Object.fromEntries(
      Object.keys(written).map((name) => [name, String(form.get(name) ?? "")]),
    ) as unknown as TaskFields;
    const read = changesIn(written, fields, serverNow());
    setUnreadable(Object.fromEntries(read.unreadable.map((name) => [name, t.unreadableHours])));
    if (read.unreadable.length > 0) return;
    const { changes }: { readonly changes: TaskChanges } = read;
    if (Object.keys(changes).length === 0) onClose();
    else change.mutate(changes, { onSuccess: onClose });
  };
  return (
    <Dialog title={t.editTitle} onClose={onClose}>
      <DialogForm onSubmit={save}>
        {change.isError && Object.keys(faults).length === 0 && <Notice kind="bad">{failureText(change.error)}</Notice>}
        <TextInput
          name="title"
          label={t.fields.title}
          defaultValue={written.title}
          required
          maxLength={limits.taskTitleLength}
          error={faults.title}
          data-autofocus
        />
        <Textarea
          name="description"
          label={t.fields.description}
          defaultValue={written.description}
          rows={4}
          maxLength={limits.descriptionLength}
          error={faults.description}
        />
        <div className={styles.pair}>
          <TextInput
            name="hours"
            label={t.fields.hours}
            inputMode="decimal"
            defaultValue={written.hours}
            error={faults.hours}
          />
          <TextInput
            name="role"
            label={t.fields.role}
            defaultValue={written.role}
            maxLength={limits.roleLength}
            error={faults.role}
          />
          <TextInput
            name="actualHours"
            label={t.fields.actualHours}
            inputMode="decimal"
            defaultValue={written.actualHours}
            error={faults.actualHours}
          />
          <TextInput
            name="doneAt"
            type="date"
            label={t.fields.doneAt}
            defaultValue={written.doneAt}
            max={localDay(serverNow())}
            error={faults.doneAt}
          />
        </div>
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t.save}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
