import { isAlike } from "../versions/alike.ts";
import { type Fields, type Line, type Thing, unsure } from "./read.ts";
import { isSet } from "./three-way.ts";

/**
 * Returns one base for several common ancestors, as histories have them that were merged crosswise. Values in which
 * they agree are the base's. Where they differ it is `unsure`, so that a difference between the sides is a conflict,
 * and no decision of an earlier merge is silently undone. Sets have what all ancestors have. Only a thing that is the
 * same in all of them has `options` or `nodes` among its fields.
 */
export function commonBase(bases: readonly Line[]): Line {
  const [first, ...others] = bases;
  if (!first) return { settings: {}, things: new Map(), roots: [], milestones: [] };
  if (others.length === 0) return first;
  const things = new Map<string, Thing>();
  for (const line of bases) {
    for (const [id, thing] of line.things) if (!things.has(id)) things.set(id, commonThing(thing, bases));
  }
  const settings = commonFields(bases.map((line) => line.settings as Fields));
  return { settings, things, roots: first.roots, milestones: first.milestones };
}

function commonThing(thing: Thing, bases: readonly Line[]): Thing {
  const found = bases.flatMap(({ things }) => things.get(thing.id) ?? []);
  if (found.length === bases.length && found.every((other) => isSame(other, thing))) return thing;
  if (found.length < bases.length) return { ...thing, parentId: unsure, fields: allUnsure(thing.fields) };
  const parentId = found.every((other) => other.parentId === thing.parentId) ? thing.parentId : unsure;
  return { ...thing, parentId, fields: commonFields(found.map(({ fields }) => fields)) };
}

const isSame = (one: Thing, other: Thing): boolean =>
  one.parentId === other.parentId && isAlike(one.fields, other.fields);

/** What is below a thing is a thing of its own. */
const fieldNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => name !== "options" && name !== "nodes");

function commonFields(all: readonly Fields[]): Fields {
  const names = new Set(all.flatMap(fieldNames));
  const common: Record<string, unknown> = {};
  for (const name of names) {
    const [first, ...others] = all.map((fields) => fields[name]);
    if (isSet(name))
      common[name] = (first as string[]).filter((one) => others.every((list) => (list as string[]).includes(one)));
    else common[name] = others.every((value) => isAlike(value, first)) ? first : unsure;
  }
  return common;
}

const allUnsure = (fields: Fields): Fields =>
  Object.fromEntries(fieldNames(fields).map((name) => [name, isSet(name) ? [] : unsure]));
