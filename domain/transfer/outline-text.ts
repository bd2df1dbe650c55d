/** Text within one line of an outline. A backslash makes the next character literal. */

const LETTERS: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t" };
const CHARACTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", s: " " };

/** Characters that begin a link, an image, code, emphasis, an HTML tag or a character reference in Markdown. */
const INLINE_SYNTAX = /[<&![\]`*_~]/g;

/**
 * Returns text written so that `readText` returns it, and so that Markdown shows it as text: line breaks, tabs, and spaces
 * at either end become letters.
 */
export function writeText(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replace(/[\n\r\t]/g, (character) => `\\${LETTERS[character]}`)
    .replace(/^ | $/g, "\\s")
    .replace(INLINE_SYNTAX, "\\$&");
}

/**
 * What a line begins with that is a heading, a list, a quote, a rule or an underline in Markdown, a cell, or a character that
 * is a box.
 */
const BLOCK_SYNTAX = /^(\d*)(?=[#>+\-=.)|☐□▢☑☒✓✔✅])/;
/** What GitHub makes links of without further syntax. */
const BARE_LINK = /:(?=\/\/)|\.(?<=www\.)|(?<=[\w.+-])@(?=\w)/gi;

/** The same for text that is a whole line or the first part of one, such as a title. */
export function writeLine(text: string): string {
  return writeText(text)
    .replace(BARE_LINK, "\\$&")
    .replace(BLOCK_SYNTAX, "$1\\")
    .replace(/(?<!\\)#$/, "\\#");
}

/** Returns the original of written text. */
export function readText(written: string): string {
  return written.replace(/\\(.)/gsu, (_, character: string) => CHARACTERS[character] ?? character);
}

/** Text in quotation marks. */
export function writeQuoted(text: string): string {
  return `"${writeText(text).replaceAll('"', '\\"')}"`;
}

/** Returns whether the character at `place` is escaped: after a backslash that is not itself escaped. */
export function isEscaped(written: string, place: number): boolean {
  let backslashes = 0;
  while (written.charAt(place - 1 - backslashes) === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/** Returns text without spaces and tabs at either end; other white space belongs to the text. */
export function trimmed(text: string): string {
  const isBlank = (at: number): boolean => text.charAt(at) === " " || text.charAt(at) === "\t";
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(from)) from += 1;
  while (to > from && isBlank(to - 1)) to -= 1;
  return text.slice(from, to);
}
