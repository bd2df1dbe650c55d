import { told } from "../../../../domain/tree/check/remedies.ts";
import { findNode, findOption } from "../../../../domain/tree/edit/locate.ts";
import { counts } from "../../../../domain/tree/hours/evaluate.ts";
import type { Node, Problem, Tree } from "../../../../domain/tree/shape.ts";
import { many } from "../../ui/numbers/format.ts";

const options = (count: number) => (count === 1 ? "an option" : many(count, "option", "options"));

/** Returns how to fix a problem of a tree, in the words of the editor. */
export function problemText(tree: Tree, problem: Problem): string {
  const { nodeId, optionId } = problem;
  if (problem.problem === "nothing_counted") return "Choose at least one option";
  const node = nodeId === null ? undefined : findNode(tree, nodeId)?.node;
  if (!node) return problem.remedy;
  return optionId === null ? textOfNode(node, problem) : (textOfLink(tree, optionId, problem) ?? problem.remedy);
}

function textOfNode(node: Node, { problem }: Problem): string {
  const counted = node.options.filter((option) => counts(node, option)).length;
  const [title, most] = [told(node.title), node.max ?? 0];
  if (problem === "too_many_selected")
    return `Deselect ${options(counted - most)} of ${title}, or raise “Choose at most”`;
  if (problem === "max_above_options")
    return `Lower “Choose at most” of ${title} to ${node.options.length}, or add ${options(most - node.options.length)}`;
  const isBounded = node.kind === "multi" && (node.min ?? 0) > 0;
  const least = Math.max(node.required ? 1 : 0, isBounded ? (node.min ?? 0) : 0);
  const lacking = least - node.options.length;
  if (lacking > 0) return `Add ${options(lacking)} to ${title}${isBounded ? ", or lower “Choose at least”" : ""}`;
  return `Choose ${counted > 0 ? many(least - counted, "more option", "more options") : options(least)} for ${title}`;
}

function textOfLink(tree: Tree, optionId: string, { problem, path }: Problem): string | undefined {
  const own = findOption(tree, optionId);
  const index = Number(path.split("/").at(-1));
  const link = own?.option[problem === "requirement_missing" ? "requires" : "excludes"][index];
  const other = link === undefined ? null : findOption(tree, link);
  if (!own || !other) return undefined;
  const [title, target] = [own, other].map(({ option }) => told(option.title));
  const [isFixed, isOtherFixed] = [own, other].map(({ parent }) => parent.node.kind === "group");
  if (problem === "requirement_missing") {
    const letGo = isFixed ? "remove the requirement" : `deselect ${title}`;
    return `${title} requires ${target} of ${told(other.parent.node.title)}: choose that too, or ${letGo}`;
  }
  const free = [isFixed ? null : title, isOtherFixed ? null : target].filter((each) => each !== null);
  const ways = [...(free.length > 0 ? [`deselect ${free.join(" or ")}`] : []), "remove the conflict"].join(", or ");
  return `${title} conflicts with ${target}: ${ways}`;
}
