import { type GivenId, inspect } from "./check/check-structure.ts";
import { breaches, type Fault, report } from "./check/faults.ts";
import { invalid, type Outcome } from "./hours/outcome.ts";
import { changedRole, writtenRole } from "./roles.ts";
import {
  type NewId,
  type Node,
  type NodeInput,
  type Option,
  type OptionInput,
  type Origin,
  type Tree,
  type TreeIds,
  toPoints,
  walk,
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
 * option: the import is the whole tree; only the origins of what is in the tree `before` stay, and the spelling of roles that are
 * the same. Links are stored by id.
 */
export function importTree(
  checked: CheckedImport,
  known: TreeIds,
  newId: NewId,
  before: Tree = { nodes: [] },
): Outcome<object> {
  const faults: Fault[] = [];
  for (const { kind, id, path } of checked.givenIds) {
    if (kind === "node" && !known.nodes.has(id)) report(faults, path, breaches.knownNode);
    if (kind === "option" && !known.options.has(id)) report(faults, path, breaches.knownOption);
  }
  if (faults.length > 0) return invalid(faults);
  const { origins, roles } = keptOf(before);
  const originOf = ({ id = "" }: NodeInput | OptionInput) => origins.get(id);
  const roleOf = ({ id = "", role = null }: OptionInput) => changedRole(roles.get(id) ?? null, role);
  return { ok: true, tree: { nodes: build({ ...checked, originOf, roleOf }, newId) } };
}

/**
 * Builds a tree that belongs to no estimation yet: every node and option gets a new id, and ids in the import only say
 * what its links name.
 */
export const plantTree = ({ nodes, optionOrder }: Omit<CheckedImport, "givenIds">, newId: NewId): Tree => ({
  nodes: build({ nodes, optionOrder, isNew: true, roleOf: ({ role }) => writtenRole(role) }, newId),
});

/** Returns the options of a stored tree by their ids, for a copy of it. */
export const orderOf = (nodes: readonly NodeInput[]): CheckedImport["optionOrder"] => inspect(nodes).optionOrder;

/** Returns a copy of a stored tree with new ids. `originOf` says what each part was made from; by default what it was. */
export const copyTree = (
  { nodes }: { readonly nodes: readonly NodeInput[] },
  newId: NewId,
  originOf: OriginOf = ({ origin }) => origin,
  optionOrder = orderOf(nodes),
): Tree => ({ nodes: build({ nodes, optionOrder, isNew: true, originOf }, newId) });

/** What an import leaves as it is, by the ids of what it belongs to. */
function keptOf(tree: Tree) {
  const origins = new Map<string, Origin>();
  const roles = new Map<string, string>();
  const note = ({ id, origin }: Node | Option) => {
    if (origin) origins.set(id, origin);
  };
  const noteOption = (option: Option) => {
    note(option);
    if (option.role !== null) roles.set(option.id, option.role);
  };
  walk(tree.nodes, { node: note, option: noteOption });
  return { origins, roles };
}

type OriginOf = (input: NodeInput | OptionInput) => Origin | null | undefined;

/** What a tree is built of. */
interface Building extends Omit<CheckedImport, "givenIds"> {
  /** Ids that are given are not kept. */
  readonly isNew?: boolean;
  /** None by default: files are not trusted. */
  readonly originOf?: OriginOf;
  /** As they are by default: copies say what was copied. */
  readonly roleOf?: (input: OptionInput) => string | null;
}

const roleAsGiven = ({ role = null }: OptionInput): string | null => role;

function build(building: Building, newId: NewId): Node[] {
  const { nodes, optionOrder, isNew = false, originOf = () => null, roleOf = roleAsGiven } = building;
  const optionIds: string[] = [];
  // Links may name later options, so they are resolved once every option has its id.
  const links: { option: Option; input: OptionInput }[] = [];
  // Left out where there is none, so that trees without templates are stored, and hashed, as they always were.
  const made = (input: NodeInput | OptionInput) => {
    const origin = originOf(input);
    return origin ? { origin } : {};
  };
  const toNode = (input: NodeInput): Node => ({
    id: isNew ? newId("node") : (input.id ?? newId("node")),
    title: input.title,
    description: input.description ?? "",
    kind: input.kind,
    required: input.required ?? false,
    min: input.min ?? null,
    max: input.max ?? null,
    options: (input.options ?? []).map(toOption),
    ...made(input),
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
      role: roleOf(input),
      requires: [],
      excludes: [],
      selected: input.selected ?? false,
      override: toPoints(input.override),
      nodes: (input.nodes ?? []).map(toNode),
      ...made(input),
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
