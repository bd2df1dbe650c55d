import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Choice } from "../../ui/choice.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import styles from "./milestones.module.css";
import { milestonesQuery } from "./queries.ts";
import type { Row } from "./rows.ts";
import { timelineTexts } from "./texts.ts";
import type { Changes } from "./use-changes.ts";

const t = timelineTexts.milestone;

interface DialogProps {
  readonly estimationId: string;
  /** Null: a new one. */
  readonly milestone: Milestone | null;
  readonly rows: readonly Row[];
  readonly changes: Changes;
  readonly onClose: () => void;
}

/** What is to be reached, and by when. */
export function MilestoneDialog({ estimationId, milestone, rows, changes, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [covers, setCovers] = useState<"all" | "some">(
    milestone && milestone.taskIds.length + milestone.nodeIds.length > 0 ? "some" : "all",
  );
  const [taskIds, setTaskIds] = useState<ReadonlySet<string>>(new Set(milestone?.taskIds));
  const create = useMutation({
    mutationFn: (body: { title: string; dueDate: string; taskIds: string[] }) =>
      api.createMilestone({ params: { id: estimationId }, body }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: milestonesQuery(estimationId).queryKey }),
  });
  const faults = faultsByField(create.error);
  const save = (form: FormData) => {
    const [title, dueDate] = [String(form.get("title")), String(form.get("dueDate"))];
    const chosen = covers === "all" ? [] : [...taskIds];
    if (!milestone) return create.mutate({ title, dueDate, taskIds: chosen });
    const { id: milestoneId, title: titleBefore, dueDate: dueBefore, taskIds: tasksBefore, nodeIds } = milestone;
    const fields = { title, dueDate, taskIds: chosen, ...(covers === "all" ? { nodeIds: [] } : {}) };
    const back = { title: titleBefore, dueDate: dueBefore, taskIds: tasksBefore, nodeIds };
    changes.run({ milestoneId, fields }, { milestoneId, fields: back });
    onClose();
  };
  return (
    <Dialog title={milestone ? t.edit : t.add} onClose={onClose}>
      <DialogForm onSubmit={save}>
        {create.isError && Object.keys(faults).length === 0 && <Notice kind="bad">{failureText(create.error)}</Notice>}
        <TextInput
          name="title"
          label={t.title}
          defaultValue={milestone?.title ?? ""}
          required
          maxLength={limits.titleLength}
          error={faults.title}
          data-autofocus
        />
        <TextInput
          name="dueDate"
          type="date"
          label={t.dueDate}
          defaultValue={milestone?.dueDate ?? ""}
          required
          error={faults.dueDate}
        />
        <Choice label={t.covers} options={{ all: t.all, some: t.some }} value={covers} onChange={setCovers} />
        {covers === "some" && (
          <div className={styles.tasks}>
            {rows.map(({ id, title, depth }) => (
              <label key={id} style={{ paddingLeft: depth * 16 }}>
                <input
                  type="checkbox"
                  checked={taskIds.has(id)}
                  onChange={({ currentTarget: { checked } }) =>
                    setTaskIds(
                      (before) => new Set([...before].filter((other) => other !== id).concat(checked ? id : [])),
                    )
                  }
                />
                {title}
              </label>
            ))}
          </div>
        )}
        {milestone && milestone.dormantIds.length > 0 && (
          <p className="muted">{t.dormant(milestone.dormantIds.length)}</p>
        )}
        {faults.taskIds && <Notice kind="bad">{faults.taskIds}</Notice>}
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t.save}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}

interface RemoveProps {
  readonly estimationId: string;
  readonly milestone: Milestone;
  readonly onClose: () => void;
}

export function RemoveMilestone({ estimationId, milestone: { id, title }, onClose }: RemoveProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteMilestone({ params: { id: estimationId, milestoneId: id } }),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: milestonesQuery(estimationId).queryKey }),
  });
  return (
    <Confirm
      title={t.removeTitle(title)}
      text={t.removeText}
      action={t.remove}
      request={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
