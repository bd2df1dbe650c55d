import type { ThreePoint } from "../../contract/values/tree.ts";
import { medianOf } from "../accuracy/intervals.ts";

/** Returns the hours with two decimals. */
export const toHundredths = (hours: number): number => Math.round(hours * 100) / 100;

const pointNames = ["optimistic", "likely", "pessimistic"] as const;

/** Returns the median of each of the three points of estimates, of which there is at least one, in hundredths of an hour. */
export function medianPoints(estimates: readonly ThreePoint[]): ThreePoint {
  const [optimistic, likely, pessimistic] = pointNames.map((name) =>
    toHundredths(medianOf(estimates.map((points) => points[name]).toSorted((a, b) => a - b))),
  ) as [number, number, number];
  return { optimistic, likely, pessimistic };
}
