import { meanOf } from "../tree/hours/distribution.ts";
import { walkCounted } from "../tree/hours/evaluate.ts";
import { pointsOf, type Tree } from "../tree/shape.ts";

/** A counted option, as a piece of work whose hours can be suggested. */
export interface Work {
  readonly optionId: string;
  /** As its task would be called. */
  readonly title: string;
  readonly description: string;
  readonly role: string | null;
  /** Its expected hours, all quantities considered; null if it has none and is not divided further. */
  readonly hours: number | null;
}

/** Returns the counted options that have work, in tree order; one that only holds nodes has none of its own. */
export function workOf(tree: Tree): Work[] {
  const work: Work[] = [];
  walkCounted(tree.nodes, {
    option: (option, weight, node) => {
      const points = pointsOf(option);
      const expected = points === null ? 0 : weight * meanOf(points);
      if (weight === 0 || (expected === 0 && (points !== null || option.nodes.length > 0))) return;
      const { id: optionId, description, role } = option;
      const title = node.kind === "group" ? option.title : `${node.title}: ${option.title}`;
      work.push({ optionId, title, description, role, hours: expected === 0 ? null : expected });
    },
  });
  return work;
}
