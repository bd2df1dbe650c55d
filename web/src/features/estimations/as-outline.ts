/** A text as an outline that can be read, and how many lines stand before it that nobody wrote. */
export interface AsOutline {
  readonly content: string;
  readonly added: 0 | 1;
}

/** What a line of an outline begins with. */
const MARKED = /^\s*(?:[-*+>](?:\s|$)|#)/;
/** What programs for texts put before the lines of a list. */
const BULLET = /^(?:[•◦▪‣–—]|\d{1,3}[.)])\s+/;
const TAB = "    ";

/**
 * Returns a text as an outline, as far as it is clear what is meant: plain lines become its items, and a title is put before what has
 * none. The title of plain lines is the first one if all others are below it; otherwise, and for a part of an estimation,
 * which needs none, it is `untitled`. What has a title already stays as it is.
 */
export function asOutline(
  text: string,
  { untitled, isPart = false }: { untitled: string; isPart?: boolean },
): AsOutline {
  // Text that is copied from pages is indented with no-break spaces.
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line) => line.replace(/^\s+/, (blank) => blank.replace(/[^\t]/g, " ")));
  const first = lines.findIndex((line) => line.trim() !== "");
  const rest = lines.slice(first + 1).filter((line) => line.trim() !== "");
  if (first < 0 || lines.some((line) => /^\s*#/.test(line))) return { content: text, added: 0 };
  const begin = lines[first] ?? "";
  if (![begin, ...rest].some((line) => MARKED.test(line))) return plain(lines, first, untitled, isPart);
  // A title above a list, without its sign.
  const isTitled = !isPart && !MARKED.test(begin) && rest.every((line) => MARKED.test(line));
  if (isTitled) return { content: lines.with(first, titleOf(begin)).join("\n"), added: 0 };
  if (isAboveItems([begin, ...rest])) return plain(lines, first, untitled, isPart);
  // Settings come after a title: they are never guessed.
  if (!MARKED.test(begin)) return { content: text, added: 0 };
  return { content: [`# ${untitled}`, ...lines].join("\n"), added: 1 };
}

const titleOf = (line: string) => `# ${line.trim().replace(BULLET, "")}`;
const expanded = (line: string) => line.replace(/^\s+/, (blank) => blank.replaceAll("\t", TAB));
const indentOf = (line: string) => line.length - line.trimStart().length;

/** Whether a text begins with a plain line, and each plain line has something below it. */
function isAboveItems(written: readonly string[]): boolean {
  const indents = written.map((line) => indentOf(expanded(line)));
  return written.every((line, at) => (MARKED.test(line) ? at > 0 : (indents[at + 1] ?? 0) > (indents[at] ?? 0)));
}

function plain(written: readonly string[], first: number, untitled: string, isPart: boolean): AsOutline {
  const lines = written.map(expanded);
  const item = (line: string, by: number) => {
    if (line.trim() === "" || MARKED.test(line)) return line.slice(by);
    return `${line.slice(by, indentOf(line))}- ${line.trim().replace(BULLET, "")}`;
  };
  const begin = lines[first] ?? "";
  const below = lines.slice(first + 1).filter((line) => line.trim() !== "");
  const [own, next] = [indentOf(begin), Math.min(...below.map(indentOf))];
  if (isPart || below.length === 0 || next <= own) {
    return { content: [`# ${untitled}`, ...lines.map((line) => item(line, own))].join("\n"), added: 1 };
  }
  const items = lines.slice(first + 1).map((line) => item(line, next));
  return { content: [...lines.slice(0, first), titleOf(begin), ...items].join("\n"), added: 0 };
}
