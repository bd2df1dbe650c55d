import { limits } from "../../../contract/limits.ts";
import { breaches, type Fault, faultAt } from "../check/faults.ts";
import { idsOf, type Node, type Option, type Tree } from "../shape.ts";

/** Options to select and to deselect, by their ids. */
export interface Trial {
  readonly select: readonly string[];
  readonly deselect: readonly string[];
}

/**
 * Returns the tree as it would be if the options in `select` were selected one after the other (in `single` nodes,
 * instead of their siblings), and then those in `deselect` deselected. Shares unchanged parts with `tree`. Faults: more
 * than `limits.trialOptions` ids in all, an id that is not in the tree, and an id given twice.
 */
export function tryOut(tree: Tree, trial: Trial): { ok: true; tree: Tree } | { ok: false; faults: Fault[] } {
  const faults = check(tree, trial);
  if (faults.length > 0) return { ok: false, faults };
  const order = new Map(trial.select.map((id, index) => [id, index]));
  const deselected = new Set(trial.deselect);
  if (order.size + deselected.size === 0) return { ok: true, tree };
  const inNodes = (nodes: Node[]): Node[] => shared(nodes, nodes.map(inNode));
  const inNode = (node: Node): Node => {
    const chosen = node.kind === "single" ? lastOf(node.options, order) : undefined;
    const options = node.options.map((option) => {
      const before = chosen === undefined ? option.selected || order.has(option.id) : option.id === chosen;
      const selected = before && !deselected.has(option.id);
      const nodes = inNodes(option.nodes);
      return selected === option.selected && nodes === option.nodes ? option : { ...option, selected, nodes };
    });
    return shared(node.options, options) === node.options ? node : { ...node, options };
  };
  return { ok: true, tree: { nodes: inNodes(tree.nodes) } };
}

function check(tree: Tree, { select, deselect }: Trial): Fault[] {
  if (select.length + deselect.length > limits.trialOptions) return [faultAt("/select", breaches.trial, "query")];
  const known = idsOf(tree.nodes).options;
  const seen = new Set<string>();
  const faults: Fault[] = [];
  for (const [path, ids] of [
    ["/select", select],
    ["/deselect", deselect],
  ] as const) {
    for (const [index, id] of ids.entries()) {
      if (!known.has(id)) faults.push(faultAt(`${path}/${index}`, breaches.unknownLink, "query"));
      else if (seen.has(id)) faults.push(faultAt(`${path}/${index}`, breaches.repeatedId, "query"));
      seen.add(id);
    }
  }
  return faults;
}

/** Of a `single` node's options the one that is selected last, as each one takes the place of the one before. */
function lastOf(options: readonly Option[], order: ReadonlyMap<string, number>): string | undefined {
  let last: string | undefined;
  for (const { id } of options) {
    const at = order.get(id);
    if (at !== undefined && at > (last === undefined ? -1 : (order.get(last) ?? -1))) last = id;
  }
  return last;
}

/** `before` where nothing in it changed. */
function shared<T>(before: T[], after: T[]): T[] {
  return after.every((part, index) => part === before[index]) ? before : after;
}
