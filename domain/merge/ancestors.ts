/** A version as the history knows it; `parents` have lower numbers. */
export interface Ancestor {
  readonly id: string;
  readonly number: number;
  readonly parents: readonly string[];
}

const [OF_ONE, OF_OTHER, ABOVE] = [1, 2, 4];

/**
 * Returns the nearest common ancestors of two versions, the latest first: those that are not ancestors of another one. A
 * version counts as its own ancestor. There are several where lines were merged crosswise.
 */
export function commonAncestors(history: readonly Ancestor[], one: string, other: string): string[] {
  const marks = new Map<string, number>();
  const mark = (id: string, bits: number): void => void marks.set(id, (marks.get(id) ?? 0) | bits);
  mark(one, OF_ONE);
  mark(other, OF_OTHER);
  const nearest: string[] = [];
  // Children before parents: all marks of a version are set when its turn comes.
  for (const { id, parents } of history.toSorted((a, b) => b.number - a.number)) {
    const bits = marks.get(id) ?? 0;
    const isCommon = (bits & OF_ONE) !== 0 && (bits & OF_OTHER) !== 0;
    if (isCommon && (bits & ABOVE) === 0) nearest.push(id);
    for (const parent of parents) mark(parent, isCommon ? bits | ABOVE : bits);
  }
  return nearest;
}

/** Returns whether `version` follows from `ancestor`, or is it. */
export const isAncestor = (history: readonly Ancestor[], ancestor: string, version: string): boolean =>
  commonAncestors(history, ancestor, version).includes(ancestor);
