import { eachLine } from "../each-line.ts";
import { isEscaped } from "../outline-text.ts";
import { blankBefore, lengthFault, type OutlineLine, readItemLine } from "./line.ts";

/** Yields the lines of an outline in Markdown or plain text that are not empty. */
export function* markdownLines(text: string): Generator<OutlineLine> {
  const frontMatter = frontMatterOf(text);
  if (frontMatter) {
    const message = `front matter, up to line ${frontMatter.lines}, is left out`;
    yield { kind: "skipped", line: 1, message };
  }
  /** A line above a possible underline, which makes it a heading. */
  let waiting: { readonly raw: string; readonly line: number } | null = null;
  let comment: number | null = null;
  let line = 0;
  for (const whole of eachLine(text)) {
    line += 1;
    if (line <= (frontMatter?.lines ?? 0)) continue;
    let raw = whole;
    if (comment !== null) {
      const end = raw.indexOf("-->");
      if (end < 0) continue;
      comment = null;
      raw = raw.slice(end + 3);
    }
    const read = withoutComments(raw);
    if (read.hasComment) yield { kind: "skipped", line, message: "a comment is left out" };
    if (read.isOpen) comment = line;
    raw = read.text;
    const content = raw.slice(blankBefore(raw).length);
    if (waiting !== null && UNDERLINE.test(content)) {
      yield { kind: "heading", line: waiting.line, level: content.startsWith("=") ? 1 : 2, text: waiting.raw.trim() };
      waiting = null;
      continue;
    }
    if (waiting !== null) yield readItemLine(waiting.raw, waiting.line);
    waiting = null;
    if (content.trimEnd() === "") continue;
    const result = readMarkdown(raw, content, line);
    const mayBeUnderlined = result.kind === "item" && result.sign === "plain" && result.indent < 4;
    if (mayBeUnderlined) waiting = { raw, line };
    else yield result;
  }
  if (waiting !== null) yield readItemLine(waiting.raw, waiting.line);
  if (comment !== null) yield { kind: "refused", line: comment, message: "has a comment without an end: write -->" };
}

const UNDERLINE = /^(?:={2,}|-{2,})[ \t]*$/;
const PROPERTY = /^[A-Za-z][\w.-]*::(?:[ \t]|$)/;

function readMarkdown(raw: string, content: string, line: number): OutlineLine {
  const [, quoted] = /^> ?(.*)$/s.exec(content) ?? [];
  if (quoted !== undefined) return { kind: "quote", line, text: quoted };
  const tooLong = lengthFault(content);
  if (tooLong) return { kind: "refused", line, message: tooLong };
  if (isRule(content)) return { kind: "skipped", line, message: "a line between parts is left out" };
  if (/^(?:```|~~~)/.test(content)) return { kind: "skipped", line, message: "a mark around code is left out" };
  if (PROPERTY.test(content)) return { kind: "skipped", line, message: "a property is left out" };
  const [, signs, heading = ""] = /^(#{1,6})(?:[ \t]+(.*))?$/s.exec(content) ?? [];
  if (signs) return { kind: "heading", line, level: signs.length, text: withoutEnd(heading) };
  if (content.startsWith("|")) return { kind: "refused", line, message: TABLE };
  return readItemLine(raw, line);
}

const TABLE = "belongs to a table: one is read only if it has a row of names, such as Task and Hours, and stands alone";

const isRule = (content: string): boolean =>
  /^[-*_= \t]+$/.test(content) && /^(?:-{3,}|\*{3,}|_{3,}|={3,})$/.test(content.replace(/[ \t]+/g, ""));

/** A heading may end in signs as it begins. */
function withoutEnd(heading: string): string {
  const text = heading.trimEnd();
  let at = text.length;
  while (text.charAt(at - 1) === "#") at -= 1;
  if (at === text.length || (at > 0 && !/[ \t]/.test(text.charAt(at - 1)))) return heading;
  return text.slice(0, at);
}

interface WithoutComments {
  readonly text: string;
  readonly hasComment: boolean;
  /** The last one does not end in this line. */
  readonly isOpen: boolean;
}

/** Takes out comments at both ends of a line; a description is left as it is. */
function withoutComments(raw: string): WithoutComments {
  const blank = blankBefore(raw);
  let from = blank.length;
  while (raw.startsWith("<!--", from)) {
    const end = raw.indexOf("-->", from + 4);
    if (end < 0) return { text: "", hasComment: true, isOpen: true };
    from = end + 3;
    while (raw.charAt(from) === " ") from += 1;
  }
  const hasComment = from > blank.length;
  const text = hasComment ? blank + raw.slice(from) : raw;
  const last = text.trimEnd();
  const begin = last.endsWith("-->") && text.charAt(blank.length) !== ">" ? last.lastIndexOf("<!--") : -1;
  if (begin < 0 || isEscaped(text, begin)) return { text, hasComment, isOpen: false };
  return { text: text.slice(0, begin), hasComment: true, isOpen: false };
}

/** Returns how many lines the front matter of a text has; null if there is none. */
function frontMatterOf(text: string): { readonly lines: number } | null {
  if (!/^---[ \t]*(?:\r|\n)/.test(text)) return null;
  let lines = 0;
  for (const raw of eachLine(text)) {
    lines += 1;
    if (lines === 1) continue;
    if (/^(?:---|\.\.\.)[ \t]*$/.test(raw)) return lines > 2 ? { lines } : null;
    // A line between parts stands above other text.
    if (lines === 2 && !/^[ \t]*(?:#|[\w"'-]+[ \t]*:|$)/.test(raw)) return null;
  }
  return null;
}
