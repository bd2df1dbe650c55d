import { diff } from "node:util";

/** Lines that took the place of those from `from` up to `to` of an earlier text. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const linesOf = (text: string): string[] => text.split("\n");

/** Returns what turns the lines of a text into those of another, from its beginning to its end. */
function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; lines: string[] } | null = null;
  const close = (): void => {
    if (open) hunks.push({ from: open.from, to: at, lines: open.lines });
    open = null;
  };
  for (const [operation, line] of diff(after, before)) {
    if (operation === 0) {
      close();
      at += 1;
      continue;
    }
    open ??= { from: at, lines: [] };
    if (operation === 1) open.lines.push(line);
    else at += 1;
  }
  close();
  return hunks;
}

/** What people read between lines that both have changed. */
const YOURS = "<<<<<<< yours";
const BETWEEN = "=======";
const THEIRS = ">>>>>>> theirs";

/** Whether a line is one of these marks. */
export const isMark = (line: string): boolean => [YOURS, BETWEEN, THEIRS].includes(line.trimEnd());

export interface Merged {
  readonly text: string;
  /** Places that both have changed in different ways: both stand there, between marks. */
  readonly conflicts: number;
}

/** Merges two later states of a text line by line. */
export function mergeLines(base: string, mine: string, theirs: string): Merged {
  const lines = linesOf(base);
  const sides = [hunksOf(lines, linesOf(mine)), hunksOf(lines, linesOf(theirs))] as const;
  const merged: string[] = [];
  let conflicts = 0;
  let at = 0;
  for (const { from, to } of rangesOf([...sides[0], ...sides[1]])) {
    merged.push(...lines.slice(at, from));
    at = to;
    const [own, other] = sides.map((hunks) => changedIn(hunks, lines, from, to)) as [string[] | null, string[] | null];
    if (own === null || other === null || JSON.stringify(own) === JSON.stringify(other))
      merged.push(...(own ?? other ?? []));
    else {
      conflicts += 1;
      merged.push(YOURS, ...own, BETWEEN, ...other, THEIRS);
    }
  }
  merged.push(...lines.slice(at));
  return { text: merged.join("\n"), conflicts };
}

/** Returns the ranges of lines that hunks change; those that touch are one. */
function rangesOf(hunks: readonly Hunk[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { from, to } of hunks.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = ranges.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}

/** Returns what one side has in the place of a range of lines; null if it has not changed it. */
function changedIn(hunks: readonly Hunk[], lines: readonly string[], from: number, to: number): string[] | null {
  const own = hunks.filter((hunk) => hunk.from >= from && hunk.to <= to);
  if (own.length === 0) return null;
  const result: string[] = [];
  let at = from;
  for (const hunk of own) {
    result.push(...lines.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...result, ...lines.slice(at, to)];
}

/** Returns the lines that differ between two texts, with `-` for those of the former and `+` for those of the latter. */
export function changedLines(before: string, after: string): string[] {
  const lines = linesOf(before);
  return hunksOf(lines, linesOf(after)).flatMap((hunk) => [
    ...lines.slice(hunk.from, hunk.to).map((line) => `- ${line}`),
    ...hunk.lines.map((line) => `+ ${line}`),
  ]);
}
