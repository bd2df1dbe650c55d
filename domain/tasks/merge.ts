import { contentOf, type DerivedTask, type GenerationSummary, type StoredTask, type TaskContent } from "./shape.ts";

export type Conflict = GenerationSummary["conflicts"][number];

/**
 * Merges what the tree says now into a task, field by field. `base`, what the last generation made of the tree, tells who
 * changed a field: nobody or the tree alone → the tree's value; the user alone → the user's; both, and differently → the
 * user's, and a conflict. `base` then moves on to what the tree says now, so a conflict is told by the run in which it
 * arises and not again by the next; the task stays edited until both agree.
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
      status: "open",
      actualHours: task.actualHours,
      externalRef: task.externalRef,
      base: contentOf(derived),
    },
    conflicts,
  };
}

/** Whether the tree says what it said: hours may have moved by rounding alone, when another option changed. */
function isAlike(field: keyof TaskContent, base: string | number | null, derived: DerivedTask): boolean {
  const { rounded } = derived;
  if (field !== "hours" || typeof base !== "number" || rounded === null) return base === derived[field];
  return base >= rounded.down && base <= rounded.up;
}
