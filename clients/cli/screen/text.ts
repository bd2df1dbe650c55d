import { stripVTControlCharacters } from "node:util";

/** What moves the cursor, colours, or turns the direction of what follows. People can have typed it into any title. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns text as one line that a terminal only shows: without escape sequences and control characters. */
export const clean = (text: string): string => stripVTControlCharacters(text).replace(UNSEEN, " ");

/** Returns the lines of a text, each of which a terminal only shows. */
export const cleanLines = (text: string): string[] => text.split(/\r\n|\r|\n/).map(clean);

/** Returns a copy of what the service sent in which every text is clean. */
export function cleanAll<T>(data: T): T {
  if (typeof data === "string") return clean(data) as T;
  if (Array.isArray(data)) return data.map(cleanAll) as T;
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cleanAll(value)])) as T;
}

/** Returns JSON in which no character can act on a terminal; what it says is the same. */
export const cleanJson = (data: unknown, indent?: number): string =>
  (JSON.stringify(data, null, indent) ?? "null").replace(UNSEEN, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Characters that take two columns: emoji, and those of East Asia. */
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;
/** What takes none on its own. */
const NARROW = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const widthOfGrapheme = (grapheme: string): number => (NARROW.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1);

/** Returns how many columns a clean text takes. */
export function widthOf(text: string): number {
  // Most text is, and what segments it is slow.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
}

/** Returns text of at most `width` columns; what is cut ends with `…`, between two characters as people see them. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let taken = "";
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += widthOfGrapheme(segment);
    if (columns > width - 1) break;
    taken += segment;
  }
  return width < 1 ? "" : `${taken.trimEnd()}…`;
}

/** The same for a path, whose end says most: what is cut begins with `…`. */
export function cutBegin(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment);
  let columns = 0;
  let from = parts.length;
  while (from > 0 && columns + widthOfGrapheme(parts[from - 1] ?? "") <= width - 1) {
    from -= 1;
    columns += widthOfGrapheme(parts[from] ?? "");
  }
  return width < 1 ? "" : `…${parts.slice(from).join("").trimStart()}`;
}

/** Returns text of exactly `width` columns, cut or filled with spaces after it. */
export function left(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + " ".repeat(Math.max(0, width - widthOf(shown)));
}

/** Returns text of exactly `width` columns, cut or filled with spaces before it. */
export function right(text: string, width: number): string {
  const shown = cut(text, width);
  return " ".repeat(Math.max(0, width - widthOf(shown))) + shown;
}

/** Returns a text of people as lines of at most `width` columns, broken between words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
