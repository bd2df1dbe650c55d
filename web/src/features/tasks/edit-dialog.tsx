import { Button, Textarea, TextInput } from "@mantine/core";
import { type ChangeEvent, useRef, useState } from "react";
import type { Task, TaskChanges } from "../../../../contract/endpoints/tasks.ts";
import { limits } from "../../../../contract/limits.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberFault, type Refused, refusedOf } from "../../ui/numbers/number-fault.tsx";
import { isPastedIn, pasteApart } from "../../ui/numbers/pasted.ts";
import { uiTexts } from "../../ui/texts.ts";
import { serverNow } from "./queries.ts";
import { changesIn, localDay, type TaskFields, writtenOf } from "./task-fields.ts";
import styles from "./tasks.module.css";
import { taskTexts as t } from "./texts.ts";
import { useTaskChange } from "./use-task-changes.ts";

interface EditProps {
  readonly estimationId: string;
  readonly task: Task;
  readonly onClose: () => void;
}

/** Everything of a task that can be edited. */
export function EditDialog({ estimationId, task, onClose }: EditProps) {
  const change = useTaskChange(estimationId, task.id);
  const [unreadable, setUnreadable] = useState<Readonly<Record<string, Refused>>>({});
  const form = useRef<HTMLDivElement>(null);
  const pasted = useRef(new Set<string>());
  const written = writtenOf(task);
  const faults = faultsByField(change.error);
  const save = (form: FormData) => {
    const fields = Object.fromEntries(
      Object.keys(written).map((name) => [name, String(form.get(name) ?? "")]),
    ) as unknown as TaskFields;
    const read = changesIn(written, fields, serverNow(), pasted.current);
    const refused = Object.entries(read.unreadable).map(([name, readings]) => [
      name,
      refusedOf({ ok: false, readings }, t.unreadableHours),
    ]);
    setUnreadable(Object.fromEntries(refused));
    if (refused.length > 0) return;
    const { changes }: { readonly changes: TaskChanges } = read;
    if (Object.keys(changes).length === 0) onClose();
    else change.mutate(changes, { onSuccess: onClose });
  };
  const hoursField = (name: "hours" | "actualHours") => ({
    name,
    label: t.fields[name],
    inputMode: "decimal" as const,
    onPaste: pasteApart,
    defaultValue: written[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { current } = pasted;
      if (isPastedIn(event, current.has(name))) current.add(name);
      else current.delete(name);
    },
    error: unreadable[name] ? (
      <NumberFault
        text={form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? ""}
        refused={unreadable[name]}
        onChoose={(reading) => {
          const field = form.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
          if (field) field.value = reading;
          pasted.current.delete(name);
          setUnreadable(({ [name]: _, ...others }) => others);
          field?.focus();
        }}
      />
    ) : (
      faults[name]
    ),
  });
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
        <div className={styles.pair} ref={form}>
          <TextInput {...hoursField("hours")} />
          <TextInput
            name="role"
            label={t.fields.role}
            defaultValue={written.role}
            maxLength={limits.roleLength}
            error={faults.role}
          />
          <TextInput {...hoursField("actualHours")} />
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
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t.save}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
