import { limits } from "../../contract/limits.ts";
import * as remedy from "../tree/check/remedies.ts";
import { type Node, type Option, type Problem, type Tree, walk } from "../tree/shape.ts";

/** Comparisons of options in one tree; questions that would need more count as ones that can be answered. */
const COMPARISONS = 200_000;

/** For each option those that it excludes, or is excluded by. */
type Exclusions = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the questions of a tree, nested ones too, that no set of their options answers: a client who gets there could never accept. Unlike
 * `problems`, it asks not whether what is selected fits, but whether anything could. Of `excludes` it considers those among the options of
 * a question and those of what is always included; what an option requires elsewhere is left to the client.
 */
export function unanswerable({ nodes }: Tree): Problem[] {
  const excluded = exclusionsIn(nodes);
  const fixed = fixedIn(nodes);
  const isOpen = ({ id }: Option) => ![...(excluded.get(id) ?? [])].some((other) => fixed.has(other));
  const left = { comparisons: COMPARISONS };
  const found: Problem[] = [];
  walk(nodes, {
    node: (node, path) => {
      if (found.length >= limits.reportedProblems) return;
      const add = (problem: Problem["problem"], field: string, words: string) =>
        found.push({ path: path + field, nodeId: node.id, optionId: null, problem, remedy: words });
      const isBounded = node.kind === "multi";
      if (isBounded && node.max !== null && node.max > node.options.length)
        add("max_above_options", "/max", remedy.maxAboveOptions(node));
      const min = Math.max(node.required ? 1 : 0, isBounded ? (node.min ?? 0) : 0);
      if (min > node.options.length) add("too_few_selected", "", remedy.tooFew(node, 0, min));
      else if (node.kind !== "group" && !haveSet(node.options.filter(isOpen), min, excluded, left))
        add("too_few_selected", "", remedy.excludedAll(node, min));
    },
  });
  return found.slice(0, limits.reportedProblems);
}

function exclusionsIn(nodes: readonly Node[]): Exclusions {
  const excluded = new Map<string, Set<string>>();
  const note = (id: string, other: string) => excluded.set(id, (excluded.get(id) ?? new Set()).add(other));
  walk(nodes, {
    option: ({ id, excludes }) => {
      for (const other of excludes) {
        note(id, other);
        note(other, id);
      }
    },
  });
  return excluded;
}

/** Returns the options that count whatever is chosen. */
function fixedIn(nodes: readonly Node[], fixed = new Set<string>()): ReadonlySet<string> {
  for (const { kind, options } of nodes) {
    if (kind !== "group") continue;
    for (const option of options) {
      fixed.add(option.id);
      fixedIn(option.nodes, fixed);
    }
  }
  return fixed;
}

/** Returns whether so many of the options can be chosen together, as far as the comparisons that are left tell. */
function haveSet(
  options: readonly Option[],
  count: number,
  excluded: Exclusions,
  left: { comparisons: number },
): boolean {
  const choose = (from: number, chosen: readonly string[]): boolean => {
    if (chosen.length === count) return true;
    for (let at = from; options.length - at >= count - chosen.length; at += 1) {
      left.comparisons -= chosen.length + 1;
      if (left.comparisons < 0) return true;
      const { id } = options[at] as Option;
      const others = excluded.get(id);
      if (!chosen.some((one) => others?.has(one)) && choose(at + 1, [...chosen, id])) return true;
    }
    return false;
  };
  return choose(0, []);
}
