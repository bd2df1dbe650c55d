import { updateOption } from "../../../../../domain/tree/edit/edit-options.ts";
import { pointsFrom } from "../../../../../domain/tree/hours/range-points.ts";
import type { ThreePoint } from "../../../../../domain/tree/shape.ts";
import type { Edit } from "../sync/edits.ts";

export type Point = keyof ThreePoint;

/** Three points, and those of them that somebody typed: the others give way to them. */
export interface TypedPoints {
  readonly points: ThreePoint;
  readonly typed: ReadonlySet<Point>;
}

const ALL: readonly Point[] = ["optimistic", "likely", "pessimistic"];
/** Of two numbers, the likely hours are the mean. */
const ENDS: readonly Point[] = ["optimistic", "pessimistic"];

/** Of the hours that were typed on this page, what was. The hours are never changed, so undoing brings it back. */
const typedOf = new WeakMap<ThreePoint, ReadonlySet<Point>>();

/** Returns three points of one number, two or three that were typed at once. */
export function typedPoints(hours: readonly number[]): TypedPoints {
  const typed = hours.length > 2 ? ALL : hours.length > 1 ? ENDS : (["likely"] as const);
  return { points: pointsFrom(hours), typed: new Set(typed) };
}

/** Returns three points after a number was typed for one of them. */
export function withPoint(before: ThreePoint | null, point: Point, hours: number): TypedPoints {
  const known = before ? typedIn(before) : new Set<Point>();
  const typed = new Set([...known, point]);
  const at = ALL.indexOf(point);
  // Nothing else is known of it: one number stands for all three points.
  const isAlone = before === null || (typed.size === 1 && known.has(point));
  const valueAt = (other: Point, index: number) => {
    if (isAlone || index === at) return hours;
    const own = before[other];
    return known.has(other) ? own : index > at ? Math.max(own, hours) : Math.min(own, hours);
  };
  const [optimistic = 0, likely = 0, pessimistic = 0] = ALL.map(valueAt);
  return { points: { optimistic, likely, pessimistic }, typed };
}

/** Of hours that were not typed here, those are given by one number that are equal. */
function typedIn(points: ThreePoint): ReadonlySet<Point> {
  const isShared = (point: Point) => ALL.some((other) => other !== point && points[other] === points[point]);
  return typedOf.get(points) ?? new Set(ALL.filter((point) => !isShared(point)));
}

/** Whether one number was typed for all three points, so that a range is still to be given. */
export const lacksRange = (points: ThreePoint): boolean =>
  points.optimistic === points.pessimistic && points.pessimistic > 0 && typedIn(points).size < ALL.length;

/** Gives an option hours that were typed. */
export const setHours =
  (id: string, field: "hours" | "override", hours: TypedPoints | null): Edit =>
  (tree) => {
    const outcome = updateOption(tree, id, { [field]: hours?.points ?? null });
    const stored = outcome.ok && outcome.option[field];
    if (stored && hours) typedOf.set(stored, hours.typed);
    return outcome;
  };
