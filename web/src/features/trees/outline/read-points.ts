import { limits } from "../../../../../contract/limits.ts";
import type { ThreePoint } from "../../../../../domain/tree/shape.ts";
import { numberStyle } from "../../../ui/numbers/format.ts";
import { readRange } from "../../../ui/numbers/read-hours.ts";
import type { Read, Typed } from "../../../ui/numbers/read-number.ts";
import { type Point, type TypedPoints, typedPoints, withPoint } from "./typed-points.ts";

/**
 * Reads what was typed for one point: a number for that point, to which those give way that nobody typed (all, where there
 * are none yet), or all three at once, such as 4-16-34 or 2d-1w. Null for nothing, which removes the hours.
 */
export function readPoints(typed: Typed, point: Point, before: ThreePoint | null): Read<TypedPoints | null> {
  const read = readRange(typed, numberStyle, limits.optionHoursMax);
  if (!read.ok || read.value === null) return { ...read, value: null } as Read<null>;
  const [first = 0] = read.value;
  const value = read.value.length > 1 ? typedPoints(read.value) : withPoint(before, point, first);
  return { ok: true, value };
}
