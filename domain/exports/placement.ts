import type { Warning } from "./fields.ts";
import type { Nesting } from "./shape.ts";

export interface PlacedTask {
  readonly id: string;
  readonly parentTaskId: string | null;
}

/** Where the issue of a task goes. */
export interface Placement {
  /** Issues of a lower level are made first: a parent is always above its children. Counts from 0. */
  readonly level: number;
  /** How many issues it is below: 0 where it begins a hierarchy. */
  readonly depth: number;
  /** The task whose issue it is placed below; null: none. */
  readonly parentId: string | null;
  /** The parent that it cannot be placed below: its text links to that. */
  readonly linkId: string | null;
  readonly warnings: readonly Warning[];
}

/**
 * Places tasks within the bounds of a tracker. A task that is too deep, or has too many siblings before it, begins a new
 * hierarchy and links to its parent. `placed` names tasks that are below their parents already: they come before others,
 * so that another export does not move them.
 *
 * @param tasks in the order of the estimation
 */
export function placeTasks(
  tasks: readonly PlacedTask[],
  nesting: Nesting,
  placed: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Placement> {
  const known = new Set(tasks.map(({ id }) => id));
  const below = new Map<string, string[]>();
  for (const { id, parentTaskId } of tasks) {
    if (parentTaskId === null || !known.has(parentTaskId)) continue;
    const siblings = below.get(parentTaskId);
    if (siblings) siblings.push(id);
    else below.set(parentTaskId, [id]);
  }

  const placements = new Map<string, Placement>();
  const placeBelow = (parentId: string, level: number, depth: number) => {
    const children = below.get(parentId) ?? [];
    const first = children.filter((id) => placed.has(id));
    const admitted = new Set(
      [...first, ...children.filter((id) => !placed.has(id))].slice(0, depth < nesting.levels ? nesting.children : 0),
    );
    for (const id of children) {
      const fits = admitted.has(id);
      const warnings = fits ? [] : [depth < nesting.levels ? tooMany(nesting) : tooDeep(nesting)];
      placements.set(id, {
        level,
        depth: fits ? depth : 0,
        parentId: fits ? parentId : null,
        linkId: fits ? null : parentId,
        warnings,
      });
      placeBelow(id, level + 1, fits ? depth + 1 : 1);
    }
  };
  for (const { id, parentTaskId } of tasks) {
    if (parentTaskId !== null && known.has(parentTaskId)) continue;
    placements.set(id, { level: 0, depth: 0, parentId: null, linkId: null, warnings: [] });
    placeBelow(id, 1, 1);
  }
  return placements;
}

const tooDeep = ({ levels }: Nesting): Warning => ({
  code: "too_deep",
  message: `The tracker allows ${levels} levels; the issue's text links to its parent.`,
});

const tooMany = ({ children }: Nesting): Warning => ({
  code: "too_many_children",
  message: `The tracker allows ${children} issues below one; the issue's text links to its parent.`,
});
