import { meanOf } from "../tree/hours/distribution.ts";
import { walkCounted } from "../tree/hours/evaluate.ts";
import { pointsOf, type ThreePoint, type Tree } from "../tree/shape.ts";
import type { TaskRange } from "./forecast.ts";

/** What a range depends on of a task. */
interface RangedTask {
  readonly id: string;
  readonly optionId: string | null;
  readonly hours: number | null;
  /** Whether a user set the hours. */
  readonly hoursAreEdited: boolean;
}

/**
 * Returns the ranges of the tasks whose options count and have hours, in hours: three points times the quantities. Where a
 * user has set other hours, or the tree has changed since the tasks were generated, the range grows or shrinks with them;
 * a difference of less than `rounding` is one of rounding, and changes nothing.
 */
export function rangesOf(tree: Tree, tasks: readonly RangedTask[], rounding: number): TaskRange[] {
  const weighted = new Map<string, { readonly points: ThreePoint; readonly weight: number }>();
  walkCounted(tree.nodes, {
    option: (option, weight) => {
      const points = pointsOf(option);
      if (points !== null && weight > 0) weighted.set(option.id, { points, weight });
    },
  });
  return tasks.flatMap(({ id, optionId, hours, hoursAreEdited }) => {
    const found = optionId === null || hours === null ? undefined : weighted.get(optionId);
    if (found === undefined || hours === null) return [];
    const expected = found.weight * meanOf(found.points);
    if (expected === 0) return [];
    const isRounded = !hoursAreEdited && Math.abs(hours - expected) < rounding;
    const factor = isRounded ? found.weight : (found.weight * hours) / expected;
    const { optimistic, likely, pessimistic } = found.points;
    return {
      taskId: id,
      optimistic: factor * optimistic,
      likely: factor * likely,
      pessimistic: factor * pessimistic,
    };
  });
}
