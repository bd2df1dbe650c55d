import type { GenerationSummary, Task, TaskChanges } from "../../../../contract/endpoints/tasks.ts";

export type Conflict = GenerationSummary["conflicts"][number];
export type Side = "yours" | "theirs";

/** What the reader chose, by `keyOf` a conflict; where nothing is chosen, what was written here is kept. */
export type Choices = Readonly<Record<string, Side>>;

/** Names a conflict: with other values it is another one, which nobody has decided. */
export const keyOf = ({ taskId, field, yours, theirs }: Conflict): string =>
  JSON.stringify([taskId, field, yours, theirs]);

/** Returns the conflicts of a generation that its preview did not show. */
export function unseenOf(found: readonly Conflict[], shown: readonly Conflict[]): readonly Conflict[] {
  const keys = new Set(shown.map(keyOf));
  return found.filter((conflict) => !keys.has(keyOf(conflict)));
}

/** Returns what has to be changed, by task, so that the tree's value holds where it was chosen: the generation kept the others. */
export function changesFor(conflicts: readonly Conflict[], choices: Choices): ReadonlyMap<Task["id"], TaskChanges> {
  const changes = new Map<Task["id"], TaskChanges>();
  for (const conflict of conflicts) {
    if (choices[keyOf(conflict)] !== "theirs") continue;
    changes.set(conflict.taskId, { ...changes.get(conflict.taskId), [conflict.field]: conflict.theirs });
  }
  return changes;
}
