import { limits } from "../../../../contract/limits.ts";
import { roundHundredth } from "../../../../domain/tree/round.ts";
import type { ThreePoint } from "../../../../domain/tree/shape.ts";
import { numberStyle } from "../../ui/format.ts";
import { type Read, readRange, type Typed } from "../../ui/read-number.ts";

export type Point = keyof ThreePoint;

/**
 * Reads what was typed for one point: a number for that point (for all three where there are none yet), or all three at
 * once, such as 4-16-34 or 2d-1w. Nothing removes the hours.
 */
export function readPoints(typed: Typed, point: Point, before: ThreePoint | null): Read<ThreePoint | null> {
  const read = readRange(typed, numberStyle, limits.optionHoursMax);
  if (!read.ok || read.value === null) return { ...read, value: null } as Read<null>;
  const [first = 0] = read.value;
  const isOne = read.value.length === 1;
  return { ok: true, value: isOne && before !== null ? { ...before, [point]: first } : pointsFrom(read.value) };
}

/** One number stands for all three points; of two, the likely hours are the mean. */
function pointsFrom([low = 0, second = low, third]: readonly number[]): ThreePoint {
  const likely = third === undefined ? roundHundredth((low + second) / 2) : second;
  return { optimistic: low, likely, pessimistic: third ?? second };
}

/** Returns three points as they stand in a field. */
export const fieldPoints = ({ optimistic, likely, pessimistic }: ThreePoint): string =>
  [optimistic, likely, pessimistic].map(numberStyle.write).join("-");
