import { limits } from "../../contract/limits.ts";
import { rateFaults } from "../rate-faults.ts";
import { checkStructure } from "../tree/check/check-structure.ts";
import { breaches, type Fault } from "../tree/check/faults.ts";
import { dependantsOf } from "../tree/check/links.ts";
import { exceedsTreeBytes } from "../tree/check/tree-bytes.ts";
import { type Node, type Option, walk } from "../tree/shape.ts";
import type { Settings, Snapshot } from "../versions/shape.ts";
import { CHOICE } from "./choices.ts";
import type { Draft } from "./decisions.ts";
import { type Breach, type Merging, pickKey } from "./merging.ts";
import type { Fields, Line } from "./read.ts";
import type { Side } from "./shape.ts";

/** Returns the faults that the structure check finds in a merged snapshot. Each side alone follows all rules. */
export function breachesOf(merging: Merging, merged: Snapshot): Breach[] {
  const found = merging.isWholeTree ? [] : inTree(merging, merged);
  const [rate] = rateFaults(merged);
  // An older record may have a rate without a currency.
  const isOld =
    rate && [merging.into, merging.from].some(({ settings }) => rateFaults(settings as Settings).length > 0);
  return [...found, ...inMilestones(merging, merged), ...(rate && !isOld ? [inRate(merging, rate)] : [])];
}

function inTree(merging: Merging, { tree: { nodes } }: Snapshot): Breach[] {
  const faults = checkStructure(nodes);
  if (faults.length === 0) return exceedsTreeBytes(nodes) ? [inWholeTree(breaches.treeBytes)] : [];
  const byRule = Map.groupBy(faults, ({ message }) => message);
  const found: Breach[] = [];
  const whole = faults.find(({ message }) => WHOLE_TREE.includes(message));
  // The other rules are not judged while the tree as a whole is too large.
  if (whole) return [inWholeTree(whole)];
  const tooDeep = byRule.get(breaches.depth.message);
  if (tooDeep) {
    const chains = tooDeep.flatMap(({ path }) => chainTo(nodes, path).map(({ id }) => id));
    found.push(inPlaces(merging, tooDeep[0] as Fault, null, [...new Set(chains)]));
  }
  for (const fault of byRule.get(breaches.nodeOptions.message) ?? []) {
    const node = chainTo(nodes, fault.path).at(-1) as Node;
    found.push(
      inPlaces(
        merging,
        fault,
        node,
        node.options.map(({ id }) => id),
      ),
    );
  }
  for (const fault of byRule.get(breaches.oneSelected.message) ?? []) {
    const chain = chainTo(nodes, fault.path);
    found.push(inUnits(merging, fault, chain.at(-2) as Node, ["kind", CHOICE]));
  }
  for (const fault of byRule.get(breaches.links.message) ?? []) {
    const option = chainTo(nodes, fault.path).at(-1) as Option;
    found.push(inUnits(merging, fault, option, [fault.path.endsWith("/requires") ? "requires" : "excludes"]));
  }
  found.push(...inRequirements(merging, nodes, byRule.get(breaches.cycle.message) ?? []));
  const known = new Set<string>(RULES);
  const other = faults.find(({ message }) => !known.has(message));
  return found.length === 0 && other ? [inWholeTree(other)] : uniqueByThing(found);
}

const WHOLE_TREE: readonly string[] = [breaches.nodes, breaches.options, breaches.treeLinks, breaches.treeHours].map(
  ({ message }) => message,
);

const RULES = [breaches.depth, breaches.nodeOptions, breaches.oneSelected, breaches.links, breaches.cycle].map(
  ({ message }) => message,
);

/** A node can have several options selected beyond the first: that is one conflict. */
const uniqueByThing = (found: readonly Breach[]): Breach[] => [
  ...new Map(found.map((breach) => [`${breach.draft.thingId} ${breach.draft.rule?.message}`, breach])).values(),
];

const ruleOf = ({ code, message }: Rule): Rule => ({ code, message });
type Rule = NonNullable<Draft["rule"]>;

/** A limit of the whole tree: decided by taking the whole tree of a side. */
export function inWholeTree(rule: Rule): Breach {
  const tree = { target: null, thingId: null, title: null, field: null, base: null, into: null, from: null };
  return {
    draft: { kind: "structure", ...tree, rule: ruleOf(rule) },
    take(merging, side) {
      const { into, from, pins, picks } = merging;
      merging.isWholeTree = true;
      for (const { things } of [into, from]) {
        for (const [id, { target, fields }] of things) {
          if (target === "milestone") continue;
          pins.set(id, side);
          for (const field of [...Object.keys(fields), "bounds", CHOICE]) picks.set(pickKey(id, field), side);
        }
      }
    },
  };
}

/** Too many things in one parent: decided by what a side has there. */
function inPlaces(merging: Merging, fault: Fault, thing: Node | null, ids: readonly string[]): Breach {
  const { base, into, from } = merging;
  const moved = ids.filter((id) => parentIn(into, id) !== parentIn(from, id));
  const placedIn = (line: Line) => moved.map((id) => ({ id, parentId: parentIn(line, id) ?? null }));
  return {
    draft: {
      kind: "structure",
      target: thing ? "node" : null,
      thingId: thing?.id ?? null,
      title: thing?.title ?? null,
      field: "parentId",
      base: placedIn(base),
      into: placedIn(into),
      from: placedIn(from),
      things: moved,
      rule: ruleOf(fault),
    },
    take({ pins }, side) {
      for (const id of ids) pins.set(id, side);
    },
  };
}

/** Returns the parent of a thing: null for a root node, undefined where the line does not have the thing. */
const parentIn = ({ things }: Line, id: string): string | null | undefined => {
  const parentId = things.get(id)?.parentId;
  return typeof parentId === "symbol" ? null : parentId;
};

/** Several units of one thing that do not fit together. */
function inUnits(
  merging: Merging,
  fault: Fault,
  { id, title }: Pick<Node, "id" | "title">,
  fields: readonly string[],
): Breach {
  const { base, into, from } = merging;
  const target = (into.things.get(id) ?? from.things.get(id))?.target ?? null;
  const field = fields.at(-1) as string;
  return {
    draft: {
      kind: "structure",
      target,
      thingId: id,
      title,
      field,
      base: shown(base, id, field),
      into: shown(into, id, field),
      from: shown(from, id, field),
      rule: ruleOf(fault),
    },
    take: (to, side) => takeUnits(to, side, id, fields),
  };
}

/** A thing that the side does not have is removed. */
function takeUnits(merging: Merging, side: Side, id: string, fields: readonly string[]): void {
  if (merging[side].things.has(id)) for (const field of fields) merging.picks.set(pickKey(id, field), side);
  else merging.pins.set(id, side);
}

function shown(line: Line, id: string, field: string): unknown {
  if (field !== CHOICE) return line.things.get(id)?.fields[field] ?? null;
  const options = line.things.get(id)?.children ?? [];
  return options.map((option) => option.id).filter((option) => line.things.get(option)?.fields.selected === true);
}

/** Options that require each other in a circle: decided by what a side's options of the circle require. */
function inRequirements(merging: Merging, nodes: readonly Node[], faults: readonly Fault[]): Breach[] {
  if (faults.length === 0) return [];
  const { base, into, from } = merging;
  const options = new Map<string, Option>();
  walk(nodes, { option: (option) => void options.set(option.id, option) });
  const taken = new Set<string>();
  const found: Breach[] = [];
  for (const fault of faults) {
    const start = chainTo(nodes, fault.path).at(-1)?.id ?? "";
    if (taken.has(start)) continue;
    const before = dependantsOf(start, options.values());
    const circle = [...requiredBy(start, options)].filter((id) => before.has(id)).sort();
    for (const id of circle) taken.add(id);
    const requires = ({ things }: Line) =>
      circle.map((id) => ({ id, requires: (things.get(id)?.fields as Fields | undefined)?.requires ?? null }));
    const first = options.get(circle[0] ?? "") as Option;
    found.push({
      draft: {
        kind: "structure",
        target: "option",
        thingId: first.id,
        title: first.title,
        field: "requires",
        base: requires(base),
        into: requires(into),
        from: requires(from),
        things: circle.slice(1),
        rule: ruleOf(fault),
      },
      keepsHours: true,
      take(to, side) {
        for (const id of circle) if (to[side].things.has(id)) to.picks.set(pickKey(id, "requires"), side);
      },
    });
  }
  return found;
}

/** Returns the options that an option requires, directly or not, and itself. */
function requiredBy(start: string, options: ReadonlyMap<string, Option>): Set<string> {
  const found = new Set([start]);
  for (const id of found) for (const link of options.get(id)?.requires ?? []) found.add(link);
  return found;
}

function inRate(merging: Merging, fault: Fault): Breach {
  const { base, into, from } = merging;
  const rateIn = ({ settings }: Line) => {
    const { hourlyRate = null, currency = null } = settings as Fields;
    return {
      hourlyRate: typeof hourlyRate === "symbol" ? null : hourlyRate,
      currency: typeof currency === "symbol" ? null : currency,
    };
  };
  return {
    draft: {
      kind: "structure",
      target: "setting",
      thingId: null,
      title: null,
      field: "currency",
      base: rateIn(base),
      into: rateIn(into),
      from: rateIn(from),
      rule: ruleOf(fault),
    },
    keepsHours: true,
    take({ picks }, side) {
      for (const field of ["hourlyRate", "currency"]) picks.set(pickKey(null, field), side);
    },
  };
}

/** Too many milestones, decided by those of a side, and milestones that name too much. */
function inMilestones(merging: Merging, { milestones }: Snapshot): Breach[] {
  const tooMany = (limit: number, what: string): Fault => ({
    path: "/milestones",
    in: "body",
    code: "too_many",
    message: `must not have more than ${limit} ${what}`,
  });
  const found: Breach[] = [];
  for (const milestone of milestones) {
    for (const field of ["nodeIds", "taskIds"] as const) {
      if (milestone[field].length <= limits.milestoneNames) continue;
      const fault = tooMany(limits.milestoneNames, field);
      found.push({ ...inUnits(merging, fault, milestone, [field]), keepsHours: true });
    }
  }
  if (milestones.length <= limits.milestones) return found;
  const all = {
    target: "milestone",
    thingId: null,
    title: null,
    field: null,
    base: null,
    into: null,
    from: null,
  } as const;
  const draft = { kind: "structure", ...all, rule: ruleOf(tooMany(limits.milestones, "milestones")) } as const;
  const take: Breach["take"] = ({ into, from, pins }, side) => {
    for (const { id } of [...into.milestones, ...from.milestones]) pins.set(id, side);
  };
  return [...found, { draft, keepsHours: true, take }];
}

/** Returns the nodes and options that a JSON pointer into a tree leads through, from the root down. */
function chainTo(nodes: readonly Node[], path: string): (Node | Option)[] {
  const chain: (Node | Option)[] = [];
  let list: readonly (Node | Option)[] | undefined;
  for (const part of path.split("/").slice(1)) {
    const last = chain.at(-1);
    if (part === "nodes") list = last ? (last as Option).nodes : nodes;
    else if (part === "options") list = (last as Node).options;
    else {
      const thing = list?.[Number(part)];
      if (!thing) break;
      chain.push(thing);
      list = undefined;
    }
  }
  return chain;
}
