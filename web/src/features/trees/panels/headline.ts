import { counts, walkCounted } from "../../../../../domain/tree/hours/evaluate.ts";
import { type Node, pointsOf, type Tree } from "../../../../../domain/tree/shape.ts";
import { many } from "../../../ui/numbers/format.ts";
import { treeTexts } from "../texts.ts";

const t = treeTexts.headline;

/** Why the estimate is not final. */
interface Unfinished {
  readonly text: string;
  /** The first line that lacks something; null if there is none. */
  readonly first: string | null;
}

/** Whether a question that counts still needs a response. */
export function isOpenQuestion(node: Node): boolean {
  const least = Math.max(node.kind === "single" || node.required ? 1 : 0, node.kind === "multi" ? (node.min ?? 0) : 0);
  return node.options.filter((option) => counts(node, option)).length < least;
}

/** Returns what is missing for a final estimate: answers, then hours; null if nothing is. */
export function unfinished(tree: Tree, p80: number): Unfinished | null {
  const open: string[] = [];
  const without: string[] = [];
  let counted = 0;
  walkCounted(tree.nodes, {
    node: (node) => isOpenQuestion(node) && open.push(node.id),
    option: (option) => {
      counted += 1;
      if (pointsOf(option) === null && option.nodes.length === 0) without.push(option.id);
    },
  });
  const parts = [
    ...(open.length > 0 ? [many(open.length, t.open, t.opens)] : []),
    ...(without.length > 0 ? [many(without.length, t.without, t.withouts)] : []),
  ];
  if (parts.length > 0) return { text: parts.join(", "), first: open[0] ?? without[0] ?? null };
  if (p80 > 0) return null;
  return { text: tree.nodes.length === 0 ? t.empty : counted === 0 ? t.nothing : t.zero, first: null };
}
