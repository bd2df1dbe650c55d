import { limits } from "../../../contract/limits.ts";
import { exceedsTreeHours } from "../hours/potential-hours.ts";
import type { NodeInput, OptionInput } from "../shape.ts";
import { checkNodeFields, checkOptionFields } from "./check-fields.ts";
import { breaches, type Fault, isFull, report } from "./faults.ts";
import { findCycles, linksOf } from "./links.ts";

/** An id that an import contains, and its place. */
export interface GivenId {
  kind: "node" | "option";
  id: string;
  path: string;
}

/** The result of one pass over a tree. */
export interface Inspection {
  faults: Fault[];
  /** In tree order. */
  givenIds: GivenId[];
  /** The place in tree order of each option that links can name, by id and by ref. */
  optionOrder: Map<string, number>;
}

interface Pass extends Inspection {
  ids: Set<string>;
  options: { option: OptionInput; path: string }[];
  nodeCount: number;
  linkCount: number;
  /** Set once a limit is exceeded or no further fault would be recorded: the rest is skipped. */
  full: boolean;
  /** Set once something was skipped because it is too deep. */
  tooDeep: boolean;
}

/**
 * Checks every structural rule, on an import or on a stored tree (in which everything has an id). A stored tree has no
 * faults; `problems` reports what is merely unfinished. Cost and stack are bounded for any input: nothing below the
 * deepest allowed level and nothing beyond the allowed numbers is read. A `requires` may name an option above or below
 * its own: only links form cycles.
 */
export function checkStructure(nodes: readonly NodeInput[]): Fault[] {
  return inspect(nodes).faults;
}

/** Like `checkStructure`, with the additional results that the import needs. */
export function inspect(nodes: readonly NodeInput[]): Inspection {
  const pass: Pass = {
    faults: [],
    givenIds: [],
    optionOrder: new Map(),
    ids: new Set(),
    options: [],
    nodeCount: 0,
    linkCount: 0,
    full: false,
    tooDeep: false,
  };
  inspectNodes(pass, nodes, "/nodes", 1);
  // If a part of the tree was skipped, links into that part would look unknown.
  if (!pass.full && !pass.tooDeep) {
    inspectLinks(pass);
    if (pass.faults.length === 0 && exceedsTreeHours(nodes)) report(pass.faults, "/nodes", breaches.treeHours);
  }
  return pass;
}

function inspectNodes(pass: Pass, nodes: readonly NodeInput[], path: string, depth: number): void {
  if (nodes.length > 0 && depth > limits.treeDepth) {
    pass.tooDeep = true;
    report(pass.faults, path, breaches.depth);
    return;
  }
  for (const [index, node] of nodes.entries()) {
    if (pass.full) return;
    pass.nodeCount += 1;
    if (pass.nodeCount > limits.treeNodes) {
      pass.full = true;
      report(pass.faults, "/nodes", breaches.nodes);
      return;
    }
    const nodePath = `${path}/${index}`;
    noteId(pass, "node", node.id, nodePath);
    checkNodeFields(node, nodePath, pass.faults);
    if (isFull(pass.faults)) pass.full = true;
    inspectOptions(pass, node, `${nodePath}/options`, depth);
  }
}

function inspectOptions(pass: Pass, node: NodeInput, path: string, depth: number): void {
  const { options = [] } = node;
  if (options.length > limits.nodeOptions) report(pass.faults, path, breaches.nodeOptions);
  let selected = 0;
  for (const [index, option] of options.entries()) {
    if (pass.full) return;
    pass.linkCount += linksOf(option);
    const exceeded =
      pass.options.length === limits.treeOptions
        ? breaches.options
        : pass.linkCount > limits.treeLinks
          ? breaches.treeLinks
          : undefined;
    if (exceeded !== undefined) {
      pass.full = true;
      report(pass.faults, "/nodes", exceeded);
      return;
    }
    const optionPath = `${path}/${index}`;
    noteId(pass, "option", option.id, optionPath);
    noteRef(pass, option, optionPath);
    pass.options.push({ option, path: optionPath });
    checkOptionFields(option, optionPath, pass.faults);
    if (option.selected) selected += 1;
    if (node.kind === "single" && option.selected && selected > 1) {
      report(pass.faults, `${optionPath}/selected`, breaches.oneSelected);
    }
    if (isFull(pass.faults)) pass.full = true;
    if (option.nodes && !pass.full) inspectNodes(pass, option.nodes, `${optionPath}/nodes`, depth + 1);
  }
}

function noteId(pass: Pass, kind: GivenId["kind"], id: string | undefined, path: string): void {
  if (id === undefined) return;
  const repeated = pass.ids.has(id);
  if (repeated) report(pass.faults, `${path}/id`, breaches.repeatedId);
  pass.ids.add(id);
  pass.givenIds.push({ kind, id, path: `${path}/id` });
  if (kind === "node") return;
  if (!pass.optionOrder.has(id)) pass.optionOrder.set(id, pass.options.length);
  else if (!repeated) report(pass.faults, `${path}/id`, breaches.repeatedRef);
}

function noteRef(pass: Pass, option: OptionInput, path: string): void {
  if (option.ref === undefined) return;
  if (pass.optionOrder.has(option.ref)) report(pass.faults, `${path}/ref`, breaches.repeatedRef);
  else pass.optionOrder.set(option.ref, pass.options.length);
}

function inspectLinks(pass: Pass): void {
  const resolve = (links: readonly string[] | undefined, path: string, own: number): number[] =>
    (links ?? []).map((link, index) => {
      const target = pass.optionOrder.get(link);
      if (target === undefined) report(pass.faults, `${path}/${index}`, breaches.unknownLink);
      else if (target === own) report(pass.faults, `${path}/${index}`, breaches.ownLink);
      return target ?? -1;
    });
  const adjacency = pass.options.map(({ option, path }, own) => {
    reportAliases(pass, option.excludes, resolve(option.excludes, `${path}/excludes`, own), `${path}/excludes`);
    const targets = resolve(option.requires, `${path}/requires`, own);
    reportAliases(pass, option.requires, targets, `${path}/requires`);
    return targets;
  });
  if (pass.faults.length > 0) return;
  for (const { from, index } of findCycles(adjacency)) {
    report(pass.faults, `${pass.options[from]?.path}/requires/${index}`, breaches.cycle);
  }
}

/** Finds an option named by both its id and its ref; repeated words are found without the tree. */
function reportAliases(pass: Pass, links: readonly string[] | undefined, targets: number[], path: string): void {
  if (links === undefined) return;
  const firstOf = new Map<number, number>();
  for (const [index, target] of targets.entries()) {
    if (isFull(pass.faults)) return;
    const first = firstOf.get(target);
    if (first === undefined) firstOf.set(target, index);
    else if (target >= 0 && links[first] !== links[index]) {
      report(pass.faults, `${path}/${index}`, breaches.repeatedLink);
    }
  }
}
