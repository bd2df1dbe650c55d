import { isAlike } from "../versions/alike.ts";
import { type Merging, otherSide, recordOf, titleOf } from "./merging.ts";
import type { Parents } from "./placement.ts";
import { childrenIn, type Line, type Thing } from "./read.ts";
import type { Side } from "./shape.ts";

/** The things that each side removed, which the other side still has. */
export type Removals = Readonly<Record<Side, Set<string>>>;

/** What one side removed as a whole: the first thing, and what was removed below it. */
interface Part {
  readonly root: string;
  readonly members: readonly string[];
  /** Those that the other side changed, added something to, or newly refers to. */
  readonly touched: readonly string[];
}

/**
 * Removes what one side removed and the other left unchanged. If the other side changed anything in a removed part, the
 * part is one conflict: it stays as that side has it, or is removed with everything in it.
 */
export function decideRemovals(merging: Merging, parents: Parents, removals: Removals): void {
  for (const remover of ["into", "from"] as const) {
    const removed = removals[remover];
    if (removed.size === 0) continue;
    const parts = partsOf(merging, parents, removed, otherSide(remover));
    for (const joined of togetherKept(merging, parts, otherSide(remover))) decide(merging, parents, joined, remover);
  }
}

function decide(merging: Merging, parents: Parents, [first, ...others]: readonly Part[], remover: Side): void {
  if (!first) return;
  const keeper = merging[otherSide(remover)];
  const thing = keeper.things.get(first.root) as Thing;
  const side = merging.decisions.side({
    kind: "removed",
    target: thing.target,
    thingId: first.root,
    title: titleOf(thing),
    field: null,
    base: recordOf(merging.base.things.get(first.root)),
    into: recordOf(merging.into.things.get(first.root)),
    from: recordOf(merging.from.things.get(first.root)),
    things: [...first.touched, ...others.map(({ root }) => root)].filter((id) => id !== first.root),
  });
  for (const { members } of [first, ...others]) {
    for (const id of members) {
      merging.pins.set(id, side);
      if (side !== remover) parents.set(id, keeper.things.get(id)?.parentId as string | null);
    }
  }
}

function partsOf(merging: Merging, parents: Parents, removed: ReadonlySet<string>, keeper: Side): Part[] {
  const line = merging[keeper];
  const isReferredTo = newlyReferredTo(merging, parents, removed, line);
  const parts: Part[] = [];
  for (const root of removed) {
    const above = line.things.get(root)?.parentId;
    if (typeof above === "string" && removed.has(above)) continue;
    const members = [root];
    for (const id of members) {
      for (const child of childrenIn(line, id)) if (removed.has(child.id)) members.push(child.id);
    }
    const touched = members.filter((id) => isReferredTo.has(id) || isTouched(merging, parents, line, id));
    parts.push({ root, members, touched });
  }
  return parts;
}

/** Whether a side changed or moved a thing that the other one removed, or has something below it that stays. */
function isTouched({ base }: Merging, parents: Parents, line: Line, id: string): boolean {
  const [thing, before] = [line.things.get(id) as Thing, base.things.get(id) as Thing];
  if (thing.parentId !== before.parentId) return true;
  if (thing.children.some((child) => parents.get(child.id) === id)) return true;
  if (thing.fields === before.fields) return false;
  // Selecting counts as a change; deselecting does not, since the option is removed anyway.
  if (thing.fields.selected === true && before.fields.selected !== true) return true;
  const names = new Set([...Object.keys(thing.fields), ...Object.keys(before.fields)]);
  for (const apart of ["id", "options", "nodes", "selected"]) names.delete(apart);
  return [...names].some((name) => !isAlike(thing.fields[name], before.fields[name]));
}

/** Returns those of `removed` that an option which stays requires or excludes since the common ancestor. */
function newlyReferredTo(
  { base }: Merging,
  parents: Parents,
  removed: ReadonlySet<string>,
  line: Line,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [id, thing] of line.things) {
    if (thing.target !== "option" || !parents.has(id)) continue;
    const before = base.things.get(id);
    for (const name of ["requires", "excludes"]) {
      const had = (before?.fields[name] ?? []) as readonly string[];
      for (const link of thing.fields[name] as readonly string[]) {
        if (removed.has(link) && !had.includes(link)) found.add(link);
      }
    }
  }
  return found;
}

/** Returns the parts that are conflicts, each with the untouched parts that its options refer to: they stay together. */
function togetherKept(merging: Merging, parts: readonly Part[], keeper: Side): Part[][] {
  const partOf = new Map(parts.flatMap((part) => part.members.map((id) => [id, part] as const)));
  const taken = new Set(parts.filter(({ touched }) => touched.length > 0));
  return [...taken].map((part) => {
    const together = [part];
    for (const { members } of together) {
      for (const id of members) {
        const { requires = [], excludes = [] } = (merging[keeper].things.get(id)?.fields ?? {}) as Record<
          string,
          string[]
        >;
        for (const link of [...requires, ...excludes]) {
          const other = partOf.get(link);
          if (!other || taken.has(other)) continue;
          taken.add(other);
          together.push(other);
        }
      }
    }
    return together;
  });
}
