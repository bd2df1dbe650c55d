import { type GivenId, inspect } from "./check-structure.ts";
import { breaches, type Fault, report } from "./faults.ts";
import { invalid, type Outcome } from "./outcome.ts";
import {
  type NewId,
  type Node,
  type NodeInput,
  type Option,
  type OptionInput,
  type Tree,
  type TreeIds,
  toPoints,
} from "./shape.ts";

/** An import whose structure is valid; whether its ids are valid depends on the estimation's own ids. */
export interface CheckedImport {
  nodes: readonly NodeInput[];
  givenIds: readonly GivenId[];
  optionOrder: ReadonlyMap<string, number>;
}

/**
 * Checks everything about a whole-tree import that needs no stored tree: numbers, depth, ranges, unique ids and refs,
 * links, and at most one selected option in a `single` node.
 */
export function checkImport(
  nodes: readonly NodeInput[],
): { ok: true; checked: CheckedImport } | { ok: false; faults: Fault[] } {
  const { faults, givenIds, optionOrder } = inspect(nodes);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, checked: { nodes, givenIds, optionOrder } };
}

/**
 * Builds the tree of a checked import. `known` contains every id ever used in this estimation, including removed ones,
 * which an import may restore; an id keeps its kind. What the import omits gets its default, even in a known node or
 * option: the import is the whole tree. Links are stored by id.
 */
export function importTree(checked: CheckedImport, known: TreeIds, newId: NewId): Outcome<object> {
  const faults: Fault[] = [];
  for (const { kind, id, path } of checked.givenIds) {
    if (kind === "node" && !known.nodes.has(id)) report(faults, path, breaches.knownNode);
    if (kind === "option" && !known.options.has(id)) report(faults, path, breaches.knownOption);
  }
  if (faults.length > 0) return invalid(faults);
  return { ok: true, tree: { nodes: build(checked, newId) } };
}

/**
 * Builds a tree that belongs to no estimation yet: every node and option gets a new id, and ids in the import only say
 * what its links name.
 */
export const plantTree = ({ nodes, optionOrder }: Omit<CheckedImport, "givenIds">, newId: NewId): Tree => ({
  nodes: build({ nodes, optionOrder, isNew: true }, newId),
});

/** Returns a copy of a stored tree with new ids. */
export const copyTree = ({ nodes }: Tree, newId: NewId): Tree =>
  plantTree({ nodes, optionOrder: inspect(nodes).optionOrder }, newId);

/** What a tree is built of. */
interface Building extends Omit<CheckedImport, "givenIds"> {
  /** Ids that are given are not kept. */
  readonly isNew?: boolean;
}

function build({ nodes, optionOrder, isNew = false }: Building, newId: NewId): Node[] {
  const optionIds: string[] = [];
  // Links may name later options, so they are resolved once every option has its id.
  const links: { option: Option; input: OptionInput }[] = [];
  const toNode = (input: NodeInput): Node => ({
    id: isNew ? newId("node") : (input.id ?? newId("node")),
    title: input.title,
    description: input.description ?? "",
    kind: input.kind,
    required: input.required ?? false,
    min: input.min ?? null,
    max: input.max ?? null,
    options: (input.options ?? []).map(toOption),
  });
  const toOption = (input: OptionInput): Option => {
    const id = isNew ? newId("option") : (input.id ?? newId("option"));
    optionIds.push(id);
    const option: Option = {
      id,
      title: input.title,
      description: input.description ?? "",
      hours: toPoints(input.hours),
      quantity: input.quantity ?? 1,
      unit: input.unit ?? null,
      role: input.role ?? null,
      requires: [],
      excludes: [],
      selected: input.selected ?? false,
      override: toPoints(input.override),
      nodes: (input.nodes ?? []).map(toNode),
    };
    links.push({ option, input });
    return option;
  };
  const tree = nodes.map(toNode);
  const idOf = (link: string): string => optionIds[optionOrder.get(link) ?? -1] ?? link;
  for (const { option, input } of links) {
    option.requires = (input.requires ?? []).map(idOf);
    option.excludes = (input.excludes ?? []).map(idOf);
  }
  return tree;
}
