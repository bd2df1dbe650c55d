import { counts } from "../tree/hours/evaluate.ts";
import { totalOf } from "../tree/hours/roll-up.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import type { Node, Option } from "../tree/shape.ts";
import { childrenOf, type Item, open, perform, placeOf, type Running, UnfitOperation } from "../versions/running.ts";
import type { Snapshot } from "../versions/shape.ts";
import { CHOICE } from "./choices.ts";
import type { OpenConflict } from "./decisions.ts";
import type { Merging } from "./merging.ts";
import { type Line, unsure } from "./read.ts";
import type { Conflict } from "./shape.ts";

/** Hours of a conflict, unrounded, if it is decided for the common ancestor, and for each side. */
type Outcomes = readonly [base: number, into: number, from: number];

const NONE: Outcomes = [0, 0, 0];

/**
 * Returns the conflicts with each side's effect on the expected hours. `provisional` is the merge in which every open
 * conflict is decided for `into`.
 */
export function withEffects(merging: Merging, provisional: Snapshot, conflicts: readonly OpenConflict[]): Conflict[] {
  const running = open(provisional);
  return conflicts.map((conflict) => complete(conflict, outcomesOf(merging, running, conflict)));
}

/** Returns a conflict with the hours that its decision leads to; null: they are not computed. */
export function complete({ things = [], rule = null, ...draft }: OpenConflict, outcomes: Outcomes | null): Conflict {
  const [base, into, from] = outcomes ?? NONE;
  const choice = (value: unknown, hours: number) => ({
    value: value ?? null,
    hoursDelta: outcomes && (roundHundredth(hours - base) || 0),
  });
  return {
    ...draft,
    base: draft.base ?? null,
    things,
    rule,
    into: choice(draft.into, into),
    from: choice(draft.from, from),
  };
}

function outcomesOf(merging: Merging, running: Running, conflict: OpenConflict): Outcomes {
  const { kind, thingId, field } = conflict;
  if (thingId === null) return NONE;
  if (kind === "removed") return ofRemoval(merging, running, thingId);
  const item = running.items.get(thingId);
  if (!item) return NONE;
  if (kind === "moved") return ofEach(conflict, running, (value) => move(running, item, value));
  if (field === CHOICE) return ofEach(conflict, running, (value) => choose(running, item, value));
  if (field !== null && WITH_HOURS.includes(field))
    return ofEach(conflict, running, (value) => change(running, item, field, value));
  return NONE;
}

const WITH_HOURS = ["hours", "override", "quantity", "kind", "selected"];

/**
 * Tries each value, that of `into` last, so that it stays. Without a value of the ancestor, the others are compared
 * with that of `into`.
 */
function ofEach({ base, into, from }: OpenConflict, { nodes }: Running, tryOut: (value: unknown) => void): Outcomes {
  const totalWith = (value: unknown): number => {
    tryOut(value);
    return nodes.hours;
  };
  const ofFrom = totalWith(from);
  const ofBase = base === null && into !== null ? null : totalWith(base);
  const ofInto = totalWith(into);
  return [ofBase ?? ofInto, ofInto, ofFrom];
}

function change(running: Running, { target, id, fields }: Item, field: string, value: unknown): void {
  if (target === "root" || id === null) return;
  const before = (fields as unknown as Record<string, unknown>)[field];
  perform(running, { op: "changed", target, id, field, before, after: value });
}

function choose(running: Running, item: Item, value: unknown): void {
  const chosen = Array.isArray(value) ? value : [value];
  for (const { id } of childrenOf(item)) {
    if (id !== null) perform(running, { op: chosen.includes(id) ? "selected" : "deselected", target: "option", id });
  }
}

/** Moves a thing to the beginning of another parent, if that parent exists and is not below the thing. */
function move(running: Running, item: Item, parentId: unknown): void {
  const { target, id } = item;
  if (target === "root" || id === null) return;
  const before = placeOf(item);
  try {
    perform(running, {
      op: "moved",
      target,
      id,
      before,
      after: { parentId: parentId as string | null, afterId: null },
    });
  } catch (error) {
    if (!(error instanceof UnfitOperation)) throw error;
    perform(running, { op: "moved", target, id, before, after: before });
  }
}

/**
 * The hours in each version of everything below the thing that a side removed, weighted by its place. If several common
 * ancestors differ in it, it is compared with `into`.
 */
function ofRemoval({ base, into, from }: Merging, running: Running, id: string): Outcomes {
  const [ofInto, ofFrom] = [hoursIn(running, into, id), hoursIn(running, from, id)];
  return [isSure(base, id) ? hoursIn(running, base, id) : ofInto, ofInto, ofFrom];
}

/** Whether a version has one value for everything that the hours of a thing depend on. */
function isSure({ things }: Line, id: string): boolean {
  const thing = things.get(id);
  if (!thing || thing.target === "milestone") return true;
  if (thing.parentId === unsure || !("options" in thing.fields || "nodes" in thing.fields)) return false;
  const node = thing.target === "option" ? things.get(thing.parentId ?? "") : undefined;
  return !node || !Object.values(node.fields).includes(unsure);
}

function hoursIn(running: Running, line: Line, id: string): number {
  const thing = line.things.get(id);
  if (!thing || thing.target === "milestone" || typeof thing.parentId === "symbol") return 0;
  const weight = weightAt(running, thing.parentId);
  if (weight === 0) return 0;
  if (thing.target === "node") return weight * expectedOf([thing.fields as unknown as Node]);
  const node = line.things.get(thing.parentId ?? "")?.fields as unknown as Node;
  return weight * expectedOf([{ ...node, options: [thing.fields as unknown as Option] }]);
}

const expectedOf = (nodes: Node[]): number => {
  const { optimistic, likely, pessimistic } = totalOf({ nodes });
  return (optimistic + 4 * likely + pessimistic) / 6;
};

/** The product of the quantities above the children of `parentId`; 0 if it does not count. */
function weightAt({ items }: Running, parentId: string | null): number {
  if (parentId === null) return 1;
  let weight = 1;
  for (let item = items.get(parentId) ?? null; ; item = item.parent) {
    if (!item) return 0;
    if (item.target === "root") return weight;
    if (item.target !== "option") continue;
    const option = item.fields as Option;
    if (!item.parent?.fields || !counts(item.parent.fields as Node, option)) return 0;
    weight *= option.quantity;
  }
}
