import { type Breach, type Merging, titleOf } from "./merging.ts";
import { type Line, type Thing, unsure } from "./read.ts";
import { decideRemovals, type Removals } from "./removals.ts";
import type { Side } from "./shape.ts";
import { clash, threeWay } from "./three-way.ts";

/** The things that the merge has, each with its parent; null for root nodes and milestones. */
export type Parents = Map<string, string | null>;

/** Returns the place of everything that is not removed. Nothing is below something that is gone. */
export function place(merging: Merging): { parents: Parents; cycles: string[][] } {
  const { into, from, pins } = merging;
  const parents: Parents = new Map();
  const removals: Removals = { into: new Set(), from: new Set() };
  let isMoved = false;
  for (const [id, thing] of into.things) {
    const other = from.things.get(id);
    if (other && other.parentId !== thing.parentId) isMoved = true;
    placeOne(merging, parents, removals, id, thing, other);
  }
  for (const [id, thing] of from.things) {
    if (!into.things.has(id)) placeOne(merging, parents, removals, id, undefined, thing);
  }
  const isRemoved = removals.into.size + removals.from.size > 0;
  if (isRemoved) decideRemovals(merging, parents, removals);
  if (isRemoved || pins.size > 0) settle(merging, parents);
  // If all things have the same parent on both sides, there are no cycles, as in each of them.
  return { parents, cycles: isMoved ? cyclesOf(parents) : [] };
}

function placeOne(
  merging: Merging,
  parents: Parents,
  removals: Removals,
  id: string,
  ...[into, from]: [Thing | undefined, Thing | undefined]
): void {
  const pin = merging.pins.size > 0 ? merging.pins.get(id) : undefined;
  if (pin) {
    const pinned = pin === "into" ? into : from;
    if (pinned) parents.set(id, parentOf(pinned));
  } else if (into && from) {
    parents.set(id, into.parentId === from.parentId ? parentOf(into) : mergeParent(merging, into, from));
  } else if (merging.base.things.has(id)) {
    removals[into ? "from" : "into"].add(id);
  } else {
    const added = into ?? from;
    if (added) parents.set(id, parentOf(added));
  }
}

function mergeParent({ base, decisions }: Merging, into: Thing, from: Thing): string | null {
  const values = { base: base.things.get(into.id)?.parentId ?? null, into: into.parentId, from: from.parentId };
  if (!base.things.has(into.id)) values.base = unsure;
  const merged = threeWay(values);
  if (merged !== clash) return merged as string | null;
  const unit = { target: into.target, thingId: into.id, title: titleOf(into), field: "parentId" };
  return parentOf(decisions.side({ kind: "moved", ...unit, ...values }) === "into" ? into : from);
}

const parentOf = ({ parentId }: Thing): string | null => parentId as string | null;

/**
 * Makes everything consistent with its parent: if a decision removed the parent, its children go too; if a decision
 * keeps a child, its parent comes back.
 */
function settle({ pins, ...lines }: Merging, parents: Parents): void {
  const queue = [...parents.keys()];
  for (const id of queue) {
    const parentId = parents.get(id);
    if (parentId === null || parentId === undefined || parents.has(parentId)) continue;
    const pin = pins.get(id);
    if (pin && lines[pin].things.has(parentId)) {
      pins.set(parentId, pin);
      parents.set(parentId, parentOf(lines[pin].things.get(parentId) as Thing));
      queue.push(parentId);
      continue;
    }
    const side: Side = pins.get(parentId) ?? (lines.into.things.has(parentId) ? "from" : "into");
    pins.set(id, side);
    const own = lines[side].things.get(id);
    if (own) {
      parents.set(id, parentOf(own));
      queue.push(id);
    } else {
      parents.delete(id);
      for (const line of [lines.into, lines.from]) {
        for (const child of line.things.get(id)?.children ?? []) if (parents.get(child.id) === id) queue.push(child.id);
      }
    }
  }
}

/** Each round breaks at least one cycle; a merge of two legal trees needs a few. */
const ROUNDS = 50;

/** Breaks cycles, so that a tree can be built: their things are placed as in `into`. */
export function breakCycles(merging: Merging, parents: Parents): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    const cycles = cyclesOf(parents);
    if (cycles.length === 0) return;
    for (const id of cycles.flat()) standAs(merging, parents, id);
    settle(merging, parents);
  }
  for (const id of [...parents.keys()]) standAs(merging, parents, id);
  settle(merging, parents);
}

function standAs({ pins, into }: Merging, parents: Parents, id: string): void {
  pins.set(id, "into");
  const own = into.things.get(id);
  if (own) parents.set(id, parentOf(own));
  else parents.delete(id);
}

/** Returns the cycles: things of which each was moved below the next. */
function cyclesOf(parents: Parents): string[][] {
  const cycles: string[][] = [];
  const seen = new Map<string, string>();
  for (const start of parents.keys()) {
    const path: string[] = [];
    let id: string | null | undefined = start;
    while (id !== null && id !== undefined && !seen.has(id)) {
      seen.set(id, start);
      path.push(id);
      id = parents.get(id);
    }
    if (id !== null && id !== undefined && seen.get(id) === start) cycles.push(path.slice(path.indexOf(id)).sort());
  }
  return cycles;
}

/** A cycle as a conflict: decided by where a side has the things. */
export function breachOf({ base, into, from }: Merging, cycle: readonly string[]): Breach {
  const placedIn = ({ things }: Line) =>
    cycle.flatMap((id) => {
      const thing = things.get(id);
      return thing ? [{ id, parentId: thing.parentId === unsure ? null : thing.parentId }] : [];
    });
  const [first = "", ...others] = cycle;
  const thing = into.things.get(first) ?? (from.things.get(first) as Thing);
  return {
    draft: {
      kind: "moved_into_itself",
      target: thing.target,
      thingId: first,
      title: titleOf(thing),
      field: "parentId",
      base: placedIn(base),
      into: placedIn(into),
      from: placedIn(from),
      things: others,
    },
    take({ pins }, side) {
      for (const id of cycle) pins.set(id, side);
    },
  };
}
