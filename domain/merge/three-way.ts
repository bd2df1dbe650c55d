import { isAlike } from "../versions/alike.ts";

/** Fields whose value is a set: additions and removals of both sides are united, so they never conflict. */
const SETS = ["requires", "excludes", "nodeIds", "taskIds"];
export const isSet = (field: string): boolean => SETS.includes(field);

/** The value of a unit in three versions. */
export interface Values {
  readonly base: unknown;
  readonly into: unknown;
  readonly from: unknown;
}

/** Stands for two changes to different values. */
export const clash: unique symbol = Symbol("both sides changed it");

/** Returns the merged value of a unit, or `clash`. */
export function threeWay({ base, into, from }: Values): unknown {
  if (isAlike(into, from) || isAlike(base, from)) return into;
  return isAlike(base, into) ? from : clash;
}

/** Returns what both sides made of a set, in `into`'s order with `from`'s additions behind. */
export function uniteSets(
  base: readonly string[],
  into: readonly string[],
  from: readonly string[],
): readonly string[] {
  if (isAlike(into, from) || isAlike(base, from)) return into;
  if (isAlike(base, into)) return from;
  const [had, has, theirs] = [new Set(base), new Set(into), new Set(from)];
  return [
    ...into.filter((one) => theirs.has(one) || !had.has(one)),
    ...from.filter((one) => !has.has(one) && !had.has(one)),
  ];
}
