import type { Place } from "../outline-items.ts";
import { isSetting } from "./head.ts";
import type { ItemLine, OutlineLine, Sign } from "./line.ts";
import { countParted, newNumbering } from "./numbering.ts";

/** What a text shows as a whole, before its lines are read one by one. */
export interface Survey {
  /** The line of the title; null if none is one. */
  readonly titleLine: number | null;
  /** Whether lines without a sign are items; otherwise they are text that belongs to nothing. */
  readonly isPlain: boolean;
  /** Whether there are headings or signs of lists: then settings may stand before the first item. */
  readonly isMarked: boolean;
  /** Whether numbers such as 1, 1.1 and 1.2.3 give the levels. */
  readonly isNumbered: boolean;
}

/** Below a heading of any level, and below any number. */
const NUMBERED = 100;
const INDENTED = 1_000;
const RANKS: Readonly<Record<Sign, number>> = { plain: 0, number: 1, letter: 2, bullet: 3 };
const SIGNS = Object.keys(RANKS).length;

/** Headings are above numbers that give the levels, and those above what is indented. */
export const placeOfHeading = (level: number): Place => ({ key: level, inner: level + 1, indent: -1 - level });

/** The place of an item whose number gives its level. */
export const placeOfNumber = (depth: number): Place => ({
  ...{ key: NUMBERED + depth, inner: NUMBERED + depth + 1, indent: -NUMBERED - depth },
});

/**
 * The place of any other item, by its indentation. What is indented equally is below a line without a sign, a letter is below a
 * number, and the sign of a list below both.
 */
export const placeOfItem = ({ sign, indent, inner }: ItemLine): Place => ({
  ...{ key: INDENTED + indent * SIGNS + RANKS[sign], inner: INDENTED + inner * SIGNS, indent },
});

/** Whether a key is that of a heading. */
export const isHeadingKey = (key: number): boolean => key < NUMBERED;

/** Surveys a text, of which `linesOf` returns the lines anew. */
export function survey(linesOf: () => Iterable<OutlineLine>, most: number): Survey {
  const { isNumbered, headings, firstHeading, first } = surveyHeadings(linesOf(), most);
  if (headings > 0) {
    const isTitle = firstHeading?.isTop && first === firstHeading.line && firstHeading.others === 0;
    return { titleLine: isTitle ? first : null, isPlain: false, isMarked: true, isNumbered };
  }
  return surveyPlain(linesOf(), isNumbered, most);
}

interface Headings {
  readonly isNumbered: boolean;
  readonly headings: number;
  readonly firstHeading: { readonly line: number; readonly isTop: boolean; others: number } | null;
  /** The first line that could be an item. */
  readonly first: number | null;
}

function surveyHeadings(lines: Iterable<OutlineLine>, most: number): Headings {
  const parted = countParted();
  let headings = 0;
  let firstHeading: Headings["firstHeading"] = null;
  let first: number | null = null;
  let items = 0;
  for (const each of lines) {
    if (each.kind === "item") {
      parted.take(each);
      first ??= each.line;
      items += 1;
    } else if (each.kind === "heading") {
      parted.restart();
      headings += 1;
      first ??= each.line;
      if (firstHeading === null) firstHeading = { line: each.line, isTop: each.level === 1, others: 0 };
      else if (each.level === 1) firstHeading.others += 1;
    }
    if (items > most) break;
  }
  return { isNumbered: parted.isNumbered(), headings, firstHeading, first };
}

function surveyPlain(lines: Iterable<OutlineLine>, isNumbered: boolean, most: number): Survey {
  const numbering = newNumbering();
  let first: { readonly line: number; readonly key: number; readonly mayBeTitle: boolean } | null = null;
  let items = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let isMarked = false;
  /** A line without a sign, with nothing below it so far. */
  let open: number | null = null;
  let isAbove = true;
  let isBare = false;
  for (const each of lines) {
    if (each.kind === "title") isMarked = true;
    if (each.kind !== "item") continue;
    const depth = isNumbered ? numbering.depthOf(each) : null;
    const { key } = depth === null ? placeOfItem(each) : placeOfNumber(depth);
    if (each.sign === "plain" && depth === null && isSetting(each.whole)) {
      // A setting stands before the first item of a list; elsewhere it is none, and no item either.
      if (isMarked) isAbove = false;
      continue;
    }
    items += 1;
    // Two lines without a sign at the begin may be a title and a heading.
    if (open !== null && key <= open && items === 2) isBare = each.sign === "plain" && depth === null && key === open;
    if (open !== null && key <= open && !(items === 2 && isBare)) isAbove = false;
    open = each.sign === "plain" && depth === null ? key : null;
    if (each.sign !== "plain" || depth !== null) isMarked = true;
    if (first === null) first = { line: each.line, key, mayBeTitle: !each.isStrict };
    else lowest = Math.min(lowest, key);
    if (items > most) break;
  }
  const isHeaded = isBare && isMarked && isAbove && open === null;
  const isTitle = first?.mayBeTitle && items > 1 && (lowest > first.key || isHeaded);
  return {
    titleLine: isTitle ? (first?.line ?? null) : null,
    isPlain: !isMarked || (isAbove && open === null),
    ...{ isMarked, isNumbered },
  };
}
