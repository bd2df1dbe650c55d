import { limits } from "../../../contract/limits.ts";
import { type OptionPlace, placesOfOptions } from "../edit/locate.ts";
import { counts, evaluate } from "../hours/evaluate.ts";
import { type Node, type Problem, type Tree, walk } from "../shape.ts";
import * as remedy from "./remedies.ts";

/**
 * Returns what keeps a tree from being complete, in tree order. Checks only active nodes, so that dormant ones cause no
 * problems: `required` (at least one option counts), `min` and `max` in `multi` nodes, and the links of counted
 * options. Two counted options that exclude each other are one problem, reported at the first that names the other.
 * Reports at most `limits.reportedProblems`.
 */
export function problems(tree: Tree): Problem[] {
  const found: Problem[] = [];
  const { activeNodes, weights } = evaluate(tree);
  let places: ReadonlyMap<string, OptionPlace> | undefined;
  // Most trees have few links or none, and places take longer than everything else here.
  const placeOf = (id: string) => {
    places ??= placesOfOptions(tree);
    return places.get(id);
  };
  const told = new Set<string>();
  const isFull = () => found.length >= limits.reportedProblems;
  walk(tree.nodes, {
    node: (node, path) => {
      if (!isFull() && activeNodes.has(node.id)) judgeNode(node, path, found);
    },
    option: (option, path, node) => {
      if (isFull() || !weights.has(option.id)) return;
      const add = (problem: Problem["problem"], link: string, index: number, remedy: string) =>
        found.push({ path: `${path}/${link}/${index}`, nodeId: node.id, optionId: option.id, problem, remedy: remedy });
      option.requires.forEach((id, index) => {
        if (isFull() || weights.has(id)) return;
        const [own, target] = [placeOf(option.id), placeOf(id)];
        if (own && target) add("requirement_missing", "requires", index, remedy.requirement(own, target));
      });
      option.excludes.forEach((id, index) => {
        if (isFull() || !weights.has(id) || told.has(`${id} ${option.id}`)) return;
        const [own, target] = [placeOf(option.id), placeOf(id)];
        if (!own || !target) return;
        told.add(`${option.id} ${id}`);
        add("excluded_together", "excludes", index, remedy.exclusion(own, target));
      });
    },
  });
  // A node can have two problems.
  return found.slice(0, limits.reportedProblems);
}

/** Returns what keeps a tree from being submitted: its problems, and `nothing_counted` if no option counts. */
export function submissionProblems(tree: Tree): Problem[] {
  const found = problems(tree);
  if (evaluate(tree).weights.size > 0) return found;
  const nothing = { path: "", nodeId: null, optionId: null } as const;
  return [...found, { ...nothing, problem: "nothing_counted", remedy: remedy.nothingCounted }];
}

function judgeNode(node: Node, path: string, found: Problem[]): void {
  const add = (problem: Problem["problem"], field: string, remedy: string) =>
    found.push({ path: `${path}${field}`, nodeId: node.id, optionId: null, problem, remedy: remedy });
  const counted = node.options.filter((option) => counts(node, option)).length;
  const bounded = node.kind === "multi";
  const min = Math.max(node.required ? 1 : 0, bounded ? (node.min ?? 0) : 0);
  if (counted < min) add("too_few_selected", "", remedy.tooFew(node, counted, min));
  if (!bounded || node.max === null) return;
  if (counted > node.max) add("too_many_selected", "", remedy.tooMany(node, counted, node.max));
  if (node.max > node.options.length) add("max_above_options", "/max", remedy.maxAboveOptions(node));
}
