import { meanOf } from "../../../../../domain/tree/hours/distribution.ts";
import { walkCounted } from "../../../../../domain/tree/hours/evaluate.ts";
import type { RollUp } from "../../../../../domain/tree/hours/roll-up.ts";
import { pointsOf, type Tree } from "../../../../../domain/tree/shape.ts";

/** How far one option can move the total, in hours: to `less` where it takes its low hours, to `more` with its high ones. */
export interface Swing {
  readonly optionId: string;
  readonly title: string;
  /** Its share of the variance of the total. */
  readonly share: number;
  /** At most 0. */
  readonly less: number;
  /** At least 0. */
  readonly more: number;
}

/** Returns those options that make the total most uncertain, the first first. */
export function swingsOf(tree: Tree, uncertainty: RollUp["uncertainty"], most: number): Swing[] {
  const drivers = new Map(uncertainty.slice(0, most).map((driver) => [driver.optionId, driver]));
  const swings = new Map<string, Swing>();
  walkCounted(tree.nodes, {
    option: (option, weight) => {
      const driver = drivers.get(option.id);
      const points = driver && pointsOf(option);
      if (!points || driver.share <= 0) return;
      const mean = meanOf(points);
      const [less, more] = [weight * (points.optimistic - mean), weight * (points.pessimistic - mean)];
      swings.set(option.id, { ...driver, less, more });
    },
  });
  return [...drivers.keys()].flatMap((id) => swings.get(id) ?? []);
}
