import { roundHundredth } from "../../../../domain/tree/hours/round.ts";
import type { ThreePoint } from "../../../../domain/tree/shape.ts";
import { numberStyle } from "./format.ts";

/** Returns three points from the numbers of a range: of two, the likely hours are the mean. */
export function pointsFrom([low = 0, second = low, third]: readonly number[]): ThreePoint {
  const likely = third === undefined ? roundHundredth((low + second) / 2) : second;
  return { optimistic: low, likely, pessimistic: third ?? second };
}

/** Returns three points as they stand in a field. */
export const fieldPoints = ({ optimistic, likely, pessimistic }: ThreePoint): string =>
  [optimistic, likely, pessimistic].map(numberStyle.write).join("-");
