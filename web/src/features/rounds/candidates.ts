import type { RollUp } from "../../../../domain/tree/hours/roll-up.ts";
import { type Tree, walk } from "../../../../domain/tree/shape.ts";

/** An option that can be estimated. */
export interface Candidate {
  readonly id: string;
  readonly title: string;
  /** The title of its question. */
  readonly question: string;
  /** Its share of the uncertainty of the total, from 0 to 1; 0 where it does not count. */
  readonly share: number;
}

/** Returns all options of a tree, those that make the total most uncertain first, the others in tree order. */
export function candidatesOf(tree: Tree, uncertainty: RollUp["uncertainty"]): Candidate[] {
  const shares = new Map(uncertainty.map(({ optionId, share }) => [optionId, share]));
  const all: Candidate[] = [];
  walk(tree.nodes, {
    option: ({ id, title }, _path, node) =>
      void all.push({ id, title, question: node.title, share: shares.get(id) ?? 0 }),
  });
  return all.toSorted((one, other) => other.share - one.share);
}
