import type { Timeline } from "../../../../contract/endpoints/timelines.ts";
import type { VersionWithContent } from "../../../../contract/endpoints/versions.ts";
import { deriveTasks } from "../../../../domain/tasks/derive.ts";
import { contentOf, type StoredTask } from "../../../../domain/tasks/shape.ts";
import { scheduleOf, schedulingText } from "../../../../domain/timeline/scheduling.ts";
import type { Tree } from "../../../../domain/tree/shape.ts";

/**
 * Returns the schedule that followed from the content of a version when it was made, by the same rule as the service's, before
 * anything was done.
 */
export function baselineOf({ asOf, content }: Pick<VersionWithContent, "asOf" | "content">): Timeline["items"] {
  const { timeline, tree, milestones, rounding } = content;
  if (!timeline?.startDate) return [];
  const tasks: StoredTask[] = deriveTasks(tree as Tree, rounding).map(({ rounded: _, ...task }) => ({
    ...task,
    ...{ status: "open", actualHours: null, doneAt: null, droppedAt: null, externalRef: null, base: contentOf(task) },
  }));
  return scheduleOf(schedulingText({ asOf, settings: timeline, milestones, tasks, tree: JSON.stringify(tree) })).items;
}
