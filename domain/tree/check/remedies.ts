import type { OptionPlace } from "../edit/locate.ts";
import { counts } from "../hours/evaluate.ts";
import type { Node } from "../shape.ts";

/** Returns how to fix a problem, in words that name what the user sees. */

/** Code points shown of a title: a tree may have many problems. */
const TOLD = 60;

export const told = (title: string): string => {
  const points = [...title];
  return points.length > TOLD
    ? `“${points
        .slice(0, TOLD - 1)
        .join("")
        .trimEnd()}…”`
    : `“${title}”`;
};

export function tooFew(node: Node, counted: number, min: number): string {
  const missing = min - counted;
  const lacking = min - node.options.length;
  if (lacking > 0) {
    const bound = node.kind === "multi" && (node.min ?? 0) > 0 ? ", or lower its min" : "";
    const select = node.kind === "group" ? "" : ` and select ${min === 1 ? "it" : `${min} of them`}`;
    return `Add ${lacking === 1 ? "an option" : `${lacking} options`} to ${told(node.title)}${select}${bound}.`;
  }
  return `Select ${missing} ${counted > 0 ? "more " : ""}${missing === 1 ? "option" : "options"} of ${told(node.title)}.`;
}

export function tooMany(node: Node, counted: number, max: number): string {
  const surplus = counted - max;
  return `Deselect ${surplus} of the ${counted} selected options of ${told(node.title)}, or raise its max.`;
}

export function maxAboveOptions(node: Node): string {
  const missing = (node.max ?? 0) - node.options.length;
  const add = missing === 1 ? "an option" : `${missing} options`;
  return `Lower the max of ${told(node.title)} to ${node.options.length}, or add ${add} to it.`;
}

/** Of a question whose options exclude each other, or are excluded by fixed scope, so that too few are left. */
export function excludedAll(node: Node, min: number): string {
  const lower = node.kind === "multi" && (node.min ?? 0) > 1 ? ", or lower its min" : "";
  const can = min === 1 ? "an option can be selected" : `${min} options can be selected together`;
  return `Remove exclusions from the options of ${told(node.title)} until ${can}${lower}.`;
}

export function requirement(own: OptionPlace, target: OptionPlace): string {
  const missing: OptionPlace[] = [];
  for (let place: OptionPlace | null = target; place !== null; place = place.parent.parent) {
    if (!counts(place.parent.node, place.option)) missing.unshift(place);
  }
  const [last, above] = [missing.slice(-1).map(inNode), missing.length - 1];
  const named = above > 1 ? `${last} and ${above} options above it` : missing.map(inNode).join(", then ");
  return `Select ${named}, or ${letGo(own, "requirement")}.`;
}

export function exclusion(own: OptionPlace, target: OptionPlace): string {
  const ways = [own, target].filter((place) => place.parent.node.kind !== "group");
  const last = "remove the exclusion";
  if (ways.length === 0) return `Both are fixed scope: ${last} between ${quoted(own)} and ${quoted(target)}.`;
  return `Deselect ${ways.map(quoted).join(" or ")}, or ${last}.`;
}

/** Returns how an option can lose its link; in a `group` it counts whether selected or not. */
function letGo(own: OptionPlace, link: string): string {
  return own.parent.node.kind === "group" ? `remove the ${link} from ${quoted(own)}` : `deselect ${quoted(own)}`;
}

export const nothingCounted = "Select an option, or add one that counts.";

function quoted({ option }: OptionPlace): string {
  return told(option.title);
}

function inNode(place: OptionPlace): string {
  return `${quoted(place)} of ${told(place.parent.node.title)}`;
}
