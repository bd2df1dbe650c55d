import type { Node, Option, Tree } from "../../../contract/values/tree.ts";
import { writtenRole } from "../../../domain/tree/roles.ts";
import { walk } from "../../../domain/tree/shape.ts";

type Thing = Node | Option;

const isNode = (thing: Thing): thing is Node => "options" in thing;
const childrenOf = (thing: Thing): readonly Thing[] => (isNode(thing) ? thing.options : thing.nodes);

/** How alike two things have to be, of 2 at most, for one to be the other under a new name. */
const ENOUGH = 0.5;
/** How alike titles have to be, of 1 at most, for what else is the same to count. */
const SOMEWHAT = 0.3;

/**
 * Returns which things of `tree` are things of `base` under a new name or in another place: the ids in `base` by those in `tree`. Under a new name
 * are siblings, below what is the same, with similar titles: the same hours or things below make less similar ones enough, and say it alone where one
 * took the place of the only one that went. In another place is what alone has its title.
 */
export function renamesIn(base: Tree, tree: Tree): ReadonlyMap<string, string> {
  const [bases, others] = [thingsOf(base), thingsOf(tree)];
  const renamed = new Map<string, string>();
  const compare = (before: readonly Thing[], after: readonly Thing[]): void => {
    const gone = before.filter(({ id }) => !others.has(id));
    const come = after.filter(({ id }) => !bases.has(id));
    const isOnly =
      gone.length === 1 && come.length === 1 && before.indexOf(gone[0] as Thing) === after.indexOf(come[0] as Thing);
    const pairs = come.flatMap((one) =>
      gone.map((other) => ({ one, other, likeness: likenessOf(one, other, isOnly) })),
    );
    const taken = new Set<string>();
    for (const { one, other, likeness } of pairs.sort((a, b) => b.likeness - a.likeness)) {
      if (likeness < ENOUGH || taken.has(one.id) || taken.has(other.id)) continue;
      taken.add(one.id).add(other.id);
      renamed.set(one.id, other.id);
    }
  };
  compare(base.nodes, tree.nodes);
  for (const [id, thing] of others) {
    const same = bases.get(id);
    if (same) compare(childrenOf(same), childrenOf(thing));
  }
  return renamed.size > 0 ? renamed : movedIn(bases, others);
}

type Things = ReadonlyMap<string, Thing>;

/** Returns what is gone and has come again elsewhere, with a title that no other such thing has. */
function movedIn(bases: Things, others: Things): ReadonlyMap<string, string> {
  const gone = onlyOnes([...bases.values()].filter(({ id }) => !others.has(id)));
  const come = onlyOnes([...others.values()].filter(({ id }) => !bases.has(id)));
  return new Map([...come].flatMap(([title, id]) => (gone.has(title) ? [[id, gone.get(title) as string]] : [])));
}

/** Returns the ids of things whose kind and title no other one has. */
function onlyOnes(things: readonly Thing[]): Map<string, string> {
  const keyOf = (thing: Thing) => `${isNode(thing)} ${thing.title.toLowerCase()}`;
  const counts = Map.groupBy(things, keyOf);
  return new Map([...counts].flatMap(([key, [one, another]]) => (one && !another ? [[key, one.id]] : [])));
}

function thingsOf({ nodes }: Tree): Map<string, Thing> {
  const things = new Map<string, Thing>();
  const take = (thing: Thing) => void things.set(thing.id, thing);
  walk(nodes, { node: take, option: take });
  return things;
}

/** Many things have the same hours by chance: they only count for similar titles, or where nothing else can have been renamed. */
function likenessOf(one: Thing, other: Thing, isOnly: boolean): number {
  const titles = likenessOfTitles(one.title.toLowerCase(), other.title.toLowerCase());
  if (titles < SOMEWHAT && !isOnly) return titles;
  const below = shareOf(
    new Set(childrenOf(one).map(({ title }) => title)),
    childrenOf(other).map(({ title }) => title),
  );
  return titles + Math.max(below, sayTheSame(one, other) ? 1 : 0);
}

/** Whether two options have the same hours and more. */
function sayTheSame(one: Thing, other: Thing): boolean {
  if (isNode(one) || isNode(other) || one.hours === null) return false;
  const said = ({ hours, quantity, unit, role, override }: Option) =>
    JSON.stringify([hours, quantity, unit, writtenRole(role), override]);
  return said(one) === said(other);
}

/** The share of pairs of letters that two titles have in common, 0 to 1; a title within another is like it in any case. */
function likenessOfTitles(one: string, other: string): number {
  const pairs = (title: string) =>
    Array.from({ length: Math.max(0, title.length - 1) }, (_, at) => title.slice(at, at + 2));
  const [first, second] = [pairs(one), pairs(other)];
  const common = shareOf(new Set(first), second) * second.length;
  const dice = first.length + second.length === 0 ? 0 : (2 * common) / (first.length + second.length);
  return Math.min(1, one.includes(other) || other.includes(one) ? Math.max(dice, ENOUGH) : dice);
}

/** The share of a list that is in a set; 0 for an empty list. */
const shareOf = (set: ReadonlySet<string>, list: readonly string[]): number =>
  list.length === 0 ? 0 : list.filter((entry) => set.has(entry)).length / list.length;
