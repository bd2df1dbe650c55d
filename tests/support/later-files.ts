/**
 * Whether a file of the application comes two seconds after the first look: the bell, what others do, and what typing into
 * cells needs (`later.ts`).
 */
export const isLater = (name: string): boolean =>
  /^(bell|live-people|live-tree|stream|typing|fields|hours)-/.test(name);

/** Those of the files that a page asked for, in their order, that came at first: what those that come later need comes after them. */
export function atFirst(names: Iterable<string>): string[] {
  const all = [...names];
  const later = all.findIndex(isLater);
  return later < 0 ? all : all.slice(0, later);
}
