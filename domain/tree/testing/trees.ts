import fc from "fast-check";
import { checkImport, importTree } from "../import-tree.ts";
import { type NewId, type NodeInput, type Option, type OptionInput, type Tree, walk } from "../shape.ts";

/** Ids in the order of creation: n1, n2, … and o1, o2, … */
export function countedIds(prefix = ""): NewId {
  let last = 0;
  return (kind) => {
    last += 1;
    return `${prefix}${kind.charAt(0)}${last}`;
  };
}

/** Returns a tree of new nodes and options, which must be valid. */
export function plant(nodes: NodeInput[], newId: NewId = countedIds()): Tree {
  const check = checkImport(nodes);
  if (!check.ok) throw new Error(JSON.stringify(check.faults));
  const outcome = importTree(check.checked, { nodes: new Set(), options: new Set() }, newId);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.tree;
}

/** Returns the option with this title. */
export function optionTitled(tree: Tree, title: string): Option {
  let found: Option | undefined;
  walk(tree.nodes, {
    option: (option) => {
      if (option.title === title) found = option;
    },
  });
  if (!found) throw new Error(`No option ${title}`);
  return found;
}

/**
 * Returns a value that throws when anything in it is written, which shows that an edit does not change the old tree.
 */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

const cents = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100);

export const points = fc
  .tuple(cents(100), cents(100), cents(100))
  .map((hours) => hours.sort((a, b) => a - b))
  .map(([optimistic = 0, likely = 0, pessimistic = 0]) => ({ optimistic, likely, pessimistic }));

const hours = fc.oneof({ weight: 5, arbitrary: points }, cents(50), fc.constant(null));
const role = fc.constantFrom(null, "backend", "design", "test");
const kind = fc.constantFrom("single" as const, "multi" as const, "group" as const);
const bound = fc.option(fc.integer({ min: 0, max: 4 }));
const bounds = fc
  .tuple(bound, bound)
  .map(([min, max]) => (min !== null && max !== null && min > max ? [max, min] : [min, max]));

/** Fields of an option, without its links. */
export const optionFields = fc.record({
  title: fc.constantFrom("Card", "Invoice", "Import", "Login"),
  hours,
  override: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, points),
  quantity: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, cents(5)),
  role,
});

/** Fields of a node, min ≤ max. */
export const nodeFields = fc
  .record({ title: fc.constantFrom("Payment", "Data", "Access"), kind, required: fc.boolean(), bounds })
  .map(({ bounds: [min = null, max = null], ...fields }) => ({ ...fields, min, max }));

const nodeInput = (depth: number): fc.Arbitrary<NodeInput> =>
  fc
    .tuple(nodeFields, fc.array(optionInput(depth), { maxLength: 4 }))
    .map(([fields, options]) => ({ ...fields, options: fields.kind === "single" ? firstSelected(options) : options }));

const optionInput = (depth: number): fc.Arbitrary<OptionInput> =>
  fc
    .tuple(
      optionFields,
      fc.boolean(),
      depth > 1 ? fc.array(nodeInput(depth - 1), { maxLength: 2 }) : fc.constant<NodeInput[]>([]),
    )
    .map(([fields, selected, nodes]) => ({ ...fields, selected, nodes }));

function firstSelected(options: OptionInput[]): OptionInput[] {
  const first = options.findIndex((option) => option.selected);
  return options.map((option, index) => ({ ...option, selected: index === first }));
}

/** Valid trees of up to four node levels, with links: requirements lead from later options to earlier ones. */
export const trees: fc.Arbitrary<Tree> = fc
  .tuple(
    fc.array(nodeInput(4), { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.nat()), { maxLength: 6 }),
  )
  .map(([nodes, links]) => {
    const tree = plant(nodes);
    const options: Option[] = [];
    walk(tree.nodes, { option: (option) => void options.push(option) });
    for (const [isRequirement, a, b] of links) {
      const [to, from] = [a % (options.length || 1), b % (options.length || 1)].sort((x, y) => x - y);
      const source = options[from ?? 0];
      const target = options[to ?? 0];
      if (!source || !target || source === target) continue;
      const list = isRequirement ? source.requires : source.excludes;
      if (!list.includes(target.id)) list.push(target.id);
    }
    return frozen(tree);
  });
