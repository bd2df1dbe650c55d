import type { RoundOption } from "../../contract/values/round.ts";
import { type Node, type Option, pointsOf, type Tree } from "../tree/shape.ts";

/** An option of a tree, with the titles above it. */
export interface Located {
  readonly option: Option;
  readonly path: readonly string[];
  /** How often its work is done: the quantities of the option and of all above it, multiplied. */
  readonly weight: number;
}

/** Returns every option of a tree by its id, in tree order. */
export function locateOptions(tree: Tree): ReadonlyMap<string, Located> {
  const located = new Map<string, Located>();
  const visit = (nodes: readonly Node[], above: readonly string[], times: number): void => {
    for (const node of nodes) {
      const path = [...above, node.title];
      for (const option of node.options) {
        const weight = times * option.quantity;
        located.set(option.id, { option, path, weight });
        visit(option.nodes, [...path, option.title], weight);
      }
    }
  };
  visit(tree.nodes, [], 1);
  return located;
}

/** What people are told about an option that they estimate. */
export type Label = Pick<RoundOption, "title" | "path" | "quantity" | "unit" | "role" | "hours">;

export const labelOf = ({ option, path }: Located): Label => ({
  title: option.title,
  path: [...path],
  quantity: option.quantity,
  unit: option.unit,
  role: option.role,
  hours: pointsOf(option),
});

/** The part of the uncertainty that is estimated where nobody says which options are. */
const DRIVING_SHARE = 0.8;

/**
 * Returns the options that make an estimation uncertain, of those that count with their shares, the largest first: as many as make
 * up 80 % of it. All of them where nothing is uncertain.
 */
export function driversOf(uncertainty: readonly { readonly optionId: string; readonly share: number }[]): string[] {
  let sum = 0;
  const drivers = uncertainty.filter(({ share }) => {
    const isNeeded = sum < DRIVING_SHARE && share > 0;
    sum += share;
    return isNeeded;
  });
  return (drivers.length > 0 ? drivers : uncertainty).map(({ optionId }) => optionId);
}
