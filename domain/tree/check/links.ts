import { type Node, type OptionInput, walk } from "../shape.ts";

/**
 * Returns the links that close a cycle, each as its option and its place in that option's list. `adjacency[i]` lists
 * what `i` requires. Iterative, because a chain may be as long as a tree has options.
 */
export function findCycles(adjacency: readonly (readonly number[])[]): { from: number; index: number }[] {
  const closing: { from: number; index: number }[] = [];
  const unseen = 0;
  const open = 1;
  const done = 2;
  const state = new Uint8Array(adjacency.length);
  const next = new Uint32Array(adjacency.length);
  for (let start = 0; start < adjacency.length; start += 1) {
    if (state[start] !== unseen) continue;
    const path = [start];
    state[start] = open;
    while (path.length > 0) {
      const from = path[path.length - 1] as number;
      const index = next[from] as number;
      const to = adjacency[from]?.[index];
      if (to === undefined) {
        state[from] = done;
        path.pop();
        continue;
      }
      next[from] = index + 1;
      if (state[to] === open) closing.push({ from, index });
      if (state[to] === unseen) {
        state[to] = open;
        path.push(to);
      }
    }
  }
  return closing;
}

/** Returns the ids whose requirements lead to `id`, including `id` itself: `id` must not require any of them. */
export function dependantsOf(id: string, options: Iterable<{ id: string; requires: readonly string[] }>): Set<string> {
  const requiredBy = new Map<string, string[]>();
  for (const option of options) {
    for (const link of option.requires) {
      const list = requiredBy.get(link);
      if (list) list.push(option.id);
      else requiredBy.set(link, [option.id]);
    }
  }
  const dependants = new Set([id]);
  // Iterating a set includes values added meanwhile, so this ends when nothing new is found.
  for (const found of dependants) {
    for (const dependant of requiredBy.get(found) ?? []) dependants.add(dependant);
  }
  return dependants;
}

/** Counts the entries in `requires` and `excludes` of all options of a tree, or of a part of one. */
export function countLinks(nodes: readonly Node[]): number {
  let count = 0;
  walk(nodes, {
    option: (option) => {
      count += linksOf(option);
    },
  });
  return count;
}

/** Counts the entries in `requires` and `excludes` of one option. */
export function linksOf({ requires = [], excludes = [] }: Pick<OptionInput, "requires" | "excludes">): number {
  return requires.length + excludes.length;
}
