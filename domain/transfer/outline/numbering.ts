import type { ItemLine } from "./line.ts";

/**
 * Follows the numbers before lines, such as 1, 1.1 and 1.2. A number that goes on from those before it is the number of a list;
 * any other belongs to its title, such as "3 screens", "2.5 days" or "2024 report".
 */
export interface Numbering {
  /** Returns how many levels the number of a line has; null if it is none of a list. */
  depthOf(item: ItemLine): number | null;
  /** Forgets the numbers so far. */
  restart(): void;
}

/** Makes one. */
export function newNumbering(): Numbering {
  let last: readonly number[] = [];
  return {
    depthOf({ numbers }) {
      if (numbers === null) return null;
      const parts = withoutZero(numbers);
      if (!goesOn(last, parts)) return null;
      last = parts;
      return parts.length;
    },
    restart() {
      last = [];
    },
  };
}

/** A last part of zero is none, as in 1.0. */
const withoutZero = (numbers: readonly number[]): readonly number[] =>
  numbers.length > 1 && numbers.at(-1) === 0 ? numbers.slice(0, -1) : numbers;

/** Whether a number comes next: one deeper, or the next one at any level, whose parts below begin with 1; within one level some may be missing. */
function goesOn(last: readonly number[], next: readonly number[]): boolean {
  const at = next.findIndex((part, index) => part !== last[index]);
  if (at < 0) return false;
  const isRest = next.slice(at + 1).every((part) => part === 1);
  const before = last[at] ?? 0;
  const own = next[at] ?? 0;
  const isLater = at > 0 && at === next.length - 1 && last.length > at ? own > before : own === before + 1;
  return isRest && isLater;
}

/** Whether the numbers of a text give its levels: at least two with several parts go on, or one below its first part. */
export function countParted(): { take(item: ItemLine): void; restart(): void; isNumbered(): boolean } {
  const numbering = newNumbering();
  let parted = 0;
  let below = 0;
  return {
    take(item) {
      const depth = numbering.depthOf(item);
      if (depth === 1) below = Math.max(below, 1);
      if (depth !== null && depth > 1) {
        parted += 1;
        below = below > 0 ? 2 : 0;
      }
    },
    restart: () => numbering.restart(),
    isNumbered: () => parted >= 2 || below === 2,
  };
}
