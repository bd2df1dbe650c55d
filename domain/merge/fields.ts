import { checkNodeFields, checkOptionFields } from "../tree/check/check-fields.ts";
import type { Node } from "../tree/shape.ts";
import type { Target } from "../versions/shape.ts";
import type { CheckValue } from "./decisions.ts";
import { type Merging, pickKey, titleOf } from "./merging.ts";
import { type Fields, type Thing, unsure } from "./read.ts";
import { clash, isSet, threeWay, uniteSets, type Values } from "./three-way.ts";

/**
 * Fields that are not units: the id, the children, what `choices.ts` merges, and the two that form the unit `bounds`.
 */
const APART = new Set(["id", "options", "nodes", "selected", "min", "max"]);

/** Returns the merged fields of a thing that both sides have, except `selected`. */
export function mergeFields(merging: Merging, [into, from]: readonly [Thing, Thing], base: Thing | undefined): Fields {
  let merged: Record<string, unknown> | null = null;
  const set = (name: string, value: unknown): void => {
    if (value === into.fields[name]) return;
    merged ??= { ...into.fields };
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  };
  const mergeOne = (name: string): void => {
    if (APART.has(name) || into.fields[name] === from.fields[name]) return;
    const values = { base: base ? base.fields[name] : unsure, into: into.fields[name], from: from.fields[name] };
    set(name, mergeUnit(merging, { target: into.target, thingId: into.id, title: titleOf(into), field: name }, values));
  };
  for (const name in into.fields) mergeOne(name);
  for (const name in from.fields) if (!(name in into.fields)) mergeOne(name);
  if (into.target === "node") {
    const { min, max } = mergeBounds(merging, into, from, base);
    set("min", min);
    set("max", max);
  }
  return merged ?? into.fields;
}

interface Bounds {
  readonly min: unknown;
  readonly max: unknown;
}

function mergeBounds(merging: Merging, into: Thing, from: Thing, base: Thing | undefined): Bounds {
  if (into.fields.min === from.fields.min && into.fields.max === from.fields.max) return boundsOf(into.fields);
  const unit = { target: into.target, thingId: into.id, title: titleOf(into), field: "bounds" };
  const had = base && base.fields.min !== unsure && base.fields.max !== unsure;
  const values = {
    base: had ? boundsOf(base.fields) : unsure,
    into: boundsOf(into.fields),
    from: boundsOf(from.fields),
  };
  return mergeUnit(merging, unit, values) as Bounds;
}

const boundsOf = ({ min, max }: Fields): Bounds => ({ min, max });

/** Which unit of which thing; null for the estimation's own settings. */
interface Unit {
  readonly target: Target | "setting";
  readonly thingId: string | null;
  readonly title: string | null;
  readonly field: string;
}

/** Returns the merged value of a unit; if both sides changed it, the decided value. */
export function mergeUnit(merging: Merging, unit: Unit, values: Values, check: CheckValue = checkOf(unit)): unknown {
  const { picks, decisions } = merging;
  const pick = picks.size > 0 ? picks.get(pickKey(unit.thingId, unit.field)) : undefined;
  if (pick) return values[pick];
  if (isSet(unit.field)) {
    const had = Array.isArray(values.base) ? values.base : [];
    return uniteSets(had, values.into as string[], values.from as string[]);
  }
  const merged = threeWay(values);
  if (merged !== clash) return merged;
  return decisions.value({ kind: "changed", ...unit, ...values }, check);
}

/** The rules, besides its type, for a value that is neither side's. */
const checkOf = ({ target, field }: Unit): CheckValue => {
  const check = target === "node" ? checkNodeFields : target === "option" ? checkOptionFields : () => [];
  return (value) => {
    const [fault] = check(field === "bounds" ? (value as Pick<Node, "min" | "max">) : { [field]: value });
    return fault ? { code: fault.code, message: fault.message } : null;
  };
};
