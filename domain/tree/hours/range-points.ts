import type { ThreePoint } from "../shape.ts";
import { roundHundredth } from "./round.ts";

/** Returns three points of the numbers of a range: one stands for all, and of two, the likely hours are the mean. */
export function pointsFrom([low = 0, second = low, third]: readonly number[]): ThreePoint {
  const likely = third === undefined ? roundHundredth((low + second) / 2) : second;
  return { optimistic: low, likely, pessimistic: third ?? second };
}
