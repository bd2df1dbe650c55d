/** What stands before a text: nothing, the number or the letter of a list, or the sign of one. */
export type Sign = "plain" | "number" | "letter" | "bullet";

/** A line that is an item, or could be one. */
export interface ItemLine {
  readonly kind: "item";
  readonly line: number;
  readonly sign: Sign;
  /** Columns before it, and before its text. */
  readonly indent: number;
  readonly inner: number;
  /** The parts of the number before it; of a plain line, only the others say whether it is the number of a list. */
  readonly numbers: readonly number[] | null;
  /** Without sign and number. */
  readonly text: string;
  /** With its number, where that is none of a list. */
  readonly whole: string;
  /** Whether a list is meant, and no text: it begins with -, * or +. */
  readonly isStrict: boolean;
}

/** A line of an outline, whatever program wrote it. */
export type OutlineLine =
  | ItemLine
  | { readonly kind: "skipped"; readonly line: number; readonly message: string }
  | { readonly kind: "refused"; readonly line: number; readonly message: string }
  | { readonly kind: "heading"; readonly line: number; readonly level: number; readonly text: string }
  | { readonly kind: "title"; readonly line: number; readonly text: string }
  | { readonly kind: "quote"; readonly line: number; readonly text: string };

/** Maximum length of a line that is not a description: longer than any title with its options. */
const LONGEST = 10_000;

/** A tab ends at the next multiple of this many columns. */
const TAB = 4;

const BULLET = /^(?:[-*+–—·](?=\s|$)|[•◦▪‣●○■∙])/u;
/** Boxes that are characters, which may stand instead of a sign. */
const BOX = /^[☐□▢☑☒✓✔✅]\uFE0F?(?=\s)/u;
const NUMBER = /^(\d{1,3}(?:\.\d{1,3}){0,8})([.)])?[ \t\u00A0]+(?=\S)/u;
const LETTER = /^(?:[a-z]|[ivx]{2,5})\)[ \t\u00A0]+(?=\S)/iu;

/** Returns the column after white space that begins at `column`. */
function columnAfter(blank: string, column: number): number {
  let at = column;
  for (const character of blank) at += character === "\t" ? TAB - (at % TAB) : 1;
  return at;
}

/** White space at the begin of a line; text that is copied from pages is indented with no-break spaces. */
export const blankBefore = (text: string): string => /^\s*/u.exec(text)?.[0] ?? "";

/** Returns what is wrong with the length of a line; null if nothing is. */
export const lengthFault = (text: string): string | null =>
  text.length > LONGEST ? `must not be longer than ${LONGEST} characters` : null;

/** Reads a line that is no heading, no description and nothing that is left out. */
export function readItemLine(raw: string, line: number): ItemLine {
  const blank = blankBefore(raw);
  const indent = columnAfter(blank, 0);
  const content = raw.slice(blank.length).trimEnd();
  const item = (sign: Sign, width: number, more: Partial<ItemLine> = {}): ItemLine => ({
    ...{ kind: "item", line, sign, indent, inner: innerOf(content, indent, width), numbers: null, isStrict: false },
    ...{ text: textAfter(raw, blank.length + width), whole: textAfter(raw, blank.length) },
    ...more,
  });
  const [bullet] = BULLET.exec(content) ?? [];
  if (bullet !== undefined) return item("bullet", bullet.length, { isStrict: "-*+".includes(bullet) });
  if (BOX.test(content)) return item("bullet", 0);
  const [, digits, closed] = NUMBER.exec(content) ?? [];
  if (digits !== undefined) {
    const numbers = digits.split(".").map(Number);
    return item(closed ? "number" : "plain", digits.length + (closed ? 1 : 0), { numbers });
  }
  if (LETTER.test(content)) return item("letter", content.indexOf(")") + 1);
  return item("plain", 0);
}

/** One blank belongs to the sign; what other white space follows belongs to the text, except for spaces and tabs. */
function textAfter(raw: string, from: number): string {
  const text = raw.slice(from).replace(/^[ \t\u00A0]/u, "");
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

const isBlank = (text: string, at: number): boolean => text.charAt(at) === " " || text.charAt(at) === "\t";

/** The column of the text after a sign; more than four blanks belong to the text, as in Markdown. */
function innerOf(content: string, indent: number, width: number): number {
  if (width === 0) return indent + 1;
  const end = indent + width;
  const text = columnAfter(blankBefore(content.slice(width)), end);
  return content.length === width || text - end > TAB ? end + 1 : text;
}
