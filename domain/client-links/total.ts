import { showsRange } from "../../contract/values/client-links.ts";
import type { Amount } from "../../contract/values/proposal.ts";
import { walkCounted } from "../tree/hours/evaluate.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import type { Node, ThreePoint, Tree } from "../tree/shape.ts";
import type { LinkSettings, Published, PublishedNode, Units } from "./shape.ts";

type Shows = Pick<LinkSettings, "shows" | "step">;

/** Returns what was published as a tree, without hours: what is selected in it can be tried and judged like that of any tree. */
export const treeOf = ({ nodes }: Pick<Published, "nodes">): Tree => ({ nodes: nodes.map(nodeOf) });

const nodeOf = ({ options, description: _, ...node }: PublishedNode): Node => ({
  ...node,
  description: "",
  options: options.map(({ id, title, selected, requires, excludes, nodes }) => ({
    ...{ id, title, selected, description: "", hours: null, override: null, quantity: 1, unit: null, role: null },
    ...{ requires: [...requires], excludes: [...excludes], nodes: nodes.map(nodeOf) },
  })),
});

/** Returns the sum of the published figures of what counts in `tree`, the published one or one with another selection. */
export function totalOf(published: Published, tree: Tree = treeOf(published)): Units {
  const units = new Map<string, Units>();
  const collect = (nodes: readonly PublishedNode[]): void => {
    for (const { options } of nodes) {
      for (const option of options) {
        if (option.units) units.set(option.id, option.units);
        collect(option.nodes);
      }
    }
  };
  collect(published.nodes);
  const total = { ...published.fixed };
  walkCounted(tree.nodes, {
    option: ({ id }) => {
      const own = units.get(id);
      if (!own) return;
      total.figure += own.figure;
      total.low += own.low;
      total.high += own.high;
    },
  });
  return total;
}

/** Returns figures in steps as they are shown. */
export function amountOf({ figure, low, high }: Units, { shows, step }: Shows): Amount {
  const shown = (units: number) => roundHundredth(units * step);
  return showsRange(shows)
    ? { figure: shown(figure), low: shown(low), high: shown(high) }
    : { figure: shown(figure), low: null, high: null };
}

/** Returns three points in steps as they are shown. */
export const shownPoints = ({ optimistic, likely, pessimistic }: ThreePoint, step: number): ThreePoint => ({
  optimistic: roundHundredth(optimistic * step),
  likely: roundHundredth(likely * step),
  pessimistic: roundHundredth(pessimistic * step),
});
