import type { MilestoneRecord } from "../../contract/endpoints/milestones.ts";
import type { TimelineSettings } from "../../contract/endpoints/timelines.ts";
import { taskIdOf } from "../tasks/shape.ts";
import { type Tree, walk } from "../tree/shape.ts";
import { sortLinks } from "./settings.ts";

/** The settings of a timeline, null if they were never set, and milestones. */
interface Content {
  readonly timeline: TimelineSettings | null;
  readonly milestones: readonly MilestoneRecord[];
}

/**
 * Returns the timeline for a copy of a tree: names lead to the copies, also those of tasks, which the copy will have when it
 * generates them. What is not in the tree any more is left out.
 */
export function copyTimeline({ timeline, milestones }: Content, from: Tree, to: Tree, newId: () => string): Content {
  const copies = copiesOf(from, to);
  const copiesIn = (ids: readonly string[]) => ids.flatMap((id) => copies.get(id) ?? []);
  return {
    timeline: timeline && {
      ...timeline,
      dependencies: sortLinks(
        timeline.dependencies.flatMap((link) => {
          const [first, next] = [copies.get(link.from), copies.get(link.to)];
          return first === undefined || next === undefined ? [] : [{ ...link, from: first, to: next }];
        }),
      ),
    },
    milestones: milestones
      .map((milestone) => ({
        ...milestone,
        id: newId(),
        nodeIds: copiesIn(milestone.nodeIds),
        taskIds: copiesIn(milestone.taskIds),
      }))
      // A milestone without ids covers all tasks: it must not become one because its nodes and tasks are gone.
      .filter((copy, at) => {
        const { nodeIds = [], taskIds = [] } = milestones[at] ?? {};
        return nodeIds.length + taskIds.length === 0 || copy.nodeIds.length + copy.taskIds.length > 0;
      }),
  };
}

/** The copy of each node and of each task that a tree can have, by ids. Both trees have the same shape. */
function copiesOf(from: Tree, to: Tree): Map<string, string> {
  const idsIn = ({ nodes }: Tree) => {
    const ids: string[] = [];
    walk(nodes, { node: ({ id }) => ids.push(id, taskIdOf(id)), option: ({ id }) => ids.push(taskIdOf(id)) });
    return ids;
  };
  const copies = idsIn(to);
  return new Map(idsIn(from).map((id, at) => [id, copies[at] as string]));
}
