import type { Task } from "../../../../contract/endpoints/tasks.ts";

/** Returns how deep each task stands, by its id. A parent comes before its parts; one that is not in the list counts as none. */
export function depthsOf(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parentTaskId } of tasks) {
    const above = parentTaskId === null ? undefined : depths.get(parentTaskId);
    depths.set(id, above === undefined ? 0 : above + 1);
  }
  return depths;
}
