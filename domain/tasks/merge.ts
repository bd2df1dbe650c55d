import { contentOf, type DerivedTask, type GenerationSummary, type StoredTask, type TaskContent } from "./shape.ts";

export type Conflict = GenerationSummary["conflicts"][number];

/**
 * Merges the tree's current values into a task, field by field. `base` holds the values of the last generation and so
 * shows who changed a field: nobody or only the tree → the tree's value; only the user → the user's; both, to different
 * values → the user's, and a conflict. `base` then becomes the tree's current values, so a conflict is reported once,
 * by the run in which it arises; the task stays edited until both agree.
 */
export function merge(task: StoredTask, derived: DerivedTask): { task: StoredTask; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  const pick = <Field extends keyof TaskContent>(field: Field): TaskContent[Field] => {
    const base: TaskContent[Field] = task.base[field];
    const yours: TaskContent[Field] = task[field];
    const theirs: TaskContent[Field] = derived[field];
    if (yours === base || yours === theirs) return theirs;
    if (!isAlike(field, base, derived)) conflicts.push({ taskId: task.id, field, yours, theirs });
    return yours;
  };
  return {
    task: {
      id: derived.id,
      optionId: derived.optionId,
      parentTaskId: derived.parentTaskId,
      title: pick("title"),
      description: pick("description"),
      hours: pick("hours"),
      role: pick("role"),
      position: derived.position,
      points: derived.points,
      status: "open",
      actualHours: task.actualHours,
      doneAt: task.doneAt,
      droppedAt: task.droppedAt,
      externalRef: task.externalRef,
      base: contentOf(derived),
    },
    conflicts,
  };
}

/** Returns whether the tree's value is unchanged: hours may move by rounding alone, when another option changed. */
function isAlike(field: keyof TaskContent, base: string | number | null, derived: DerivedTask): boolean {
  const { rounded } = derived;
  if (field !== "hours" || typeof base !== "number" || rounded === null) return base === derived[field];
  return base >= rounded.down && base <= rounded.up;
}
