import type { ThreePoint } from "../../../../contract/values/tree.ts";
import type { Node, Option, Tree } from "../../../../domain/tree/shape.ts";
import type { Mark, MarkedTree, MarkKind } from "../trees/marked/marked-tree.ts";

/** What somebody said of an option. */
interface Said {
  readonly hours: ThreePoint | null;
  readonly isUnsent: boolean;
}

/**
 * Returns the part of a tree that people estimate: the options of the round with what is above them, each with the reader's own
 * hours only, as those of the estimation would pull the reader's towards them; and how far the reader has come, as marks. `typed`:
 * options for which something is typed and not saved.
 */
export function markRound(
  tree: Tree,
  optionIds: readonly string[],
  said: ReadonlyMap<string, Said>,
  typed: ReadonlySet<string> = new Set(),
): MarkedTree {
  const asked = new Set(optionIds);
  const marks = new Map<string, Mark>();
  const ofOption = (option: Option): Option | null => {
    const nodes = option.nodes.flatMap((node) => ofNode(node) ?? []);
    if (!asked.has(option.id)) return nodes.length === 0 ? null : { ...option, hours: null, override: null, nodes };
    const one = said.get(option.id);
    const kinds = [...(one ? [kindOf(one)] : []), ...(typed.has(option.id) ? (["typed"] as const) : [])];
    if (kinds.length > 0) marks.set(option.id, { kinds, changes: [], hoursDelta: 0 });
    return { ...option, hours: one?.hours ?? null, override: null, nodes };
  };
  const ofNode = (node: Node): Node | null => {
    const options = node.options.flatMap((option) => ofOption(option) ?? []);
    return options.length === 0 ? null : { ...node, options };
  };
  return { tree: { nodes: tree.nodes.flatMap((node) => ofNode(node) ?? []) }, marks, beside: [] };
}

const kindOf = ({ hours, isUnsent }: Said): MarkKind => (isUnsent ? "unsent" : hours ? "estimated" : "skipped");

/** Returns the option after (`by` = 1) or before (−1) another one, `from`, that is to be looked at: one of `wanted`, or any. */
export function stepFrom(
  optionIds: readonly string[],
  from: string,
  by: 1 | -1,
  isWanted: (optionId: string) => boolean = () => true,
): string | undefined {
  const at = optionIds.indexOf(from);
  const after = by === 1 ? [...optionIds.slice(at + 1), ...optionIds.slice(0, at)] : optionIds.slice(0, at).reverse();
  return after.find(isWanted);
}
