import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { type AdfMark, type AdfNode, paragraph, text } from "./adf.ts";

/** Where blocks stand: lists and quotations take fewer kinds than a document. */
type Within = "document" | "quotation" | "item";

/** From this depth on, nested quotations or lists become text: a Markdown parser takes them one by one. */
const NESTED = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){12}/m;
/**
 * Characters that may be searched for the end of an emphasis, in all. A text of marks that begin one and never end would be
 * searched to its end by each of them, and delay all users for a second; in texts of people nearly every mark has its end.
 */
const SEARCHED_MAX = 1_000_000;
const LANGUAGE = /^[\w+#.-]{1,30}$/;
const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;
/** Schemes of what is no address but a program or content: not even shown. */
const NO_ADDRESS = /^(?:javascript|vbscript|data):/i;
const LINE_BREAK = /<br\s*\/?>/gi;

/**
 * Returns Markdown as blocks of the Atlassian Document Format, which has no mentions and no references: a text notifies
 * nobody. What the format does not allow in a place (a table in a list) becomes text; HTML and images become text too,
 * images with their link, and `<br>` a line break. Line breaks within a paragraph stay, as at GitHub.
 */
export function blocksOf(markdown: string): AdfNode[] {
  const clean = markdown
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed();
  if (NESTED.test(clean)) return plainBlocks(clean);
  try {
    return blocks(new Lexer({ gfm: true, tokenizer: new BoundedTokenizer() }).lex(clean), "document");
  } catch (error) {
    // A text that is nested in a way not foreseen above, or takes too long to read.
    if (error instanceof RangeError) return plainBlocks(clean);
    throw error;
  }
}

/** Throws a `RangeError` where the ends of emphases are looked for in more than `SEARCHED_MAX` characters. */
class BoundedTokenizer extends Tokenizer {
  #searched = 0;

  override emStrong(...[src, ...more]: Parameters<Tokenizer["emStrong"]>) {
    return this.#count(src, super.emStrong(src, ...more));
  }

  override del(...[src, ...more]: Parameters<Tokenizer["del"]>) {
    return this.#count(src, super.del(src, ...more));
  }

  #count<T extends Tokens.Generic>(src: string, found: T | undefined): T | undefined {
    if (/^[*_~]/.test(src)) this.#searched += found?.raw.length ?? src.length;
    if (this.#searched > SEARCHED_MAX) throw new RangeError("the text has too many marks without an end");
    return found;
  }
}

const plainBlocks = (plain: string): AdfNode[] =>
  plain
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) => paragraph(lines(part, [])));

function blocks(tokens: readonly Token[], within: Within): AdfNode[] {
  return tokens.flatMap((token) => block(token as Tokens.Generic, within));
}

function block(token: Tokens.Generic, within: Within): AdfNode[] {
  switch (token.type) {
    case "space":
    case "def":
    // Its list shows it.
    case "checkbox":
      return [];
    case "heading": {
      const level = Math.min(6, Math.max(1, Number(token.depth)));
      if (within === "document") return [{ type: "heading", attrs: { level }, content: inline(token.tokens, []) }];
      return filled(inline(token.tokens, [{ type: "strong" }]));
    }
    case "code": {
      const language = String(token.lang ?? "").split(/\s/)[0] ?? "";
      const attrs = LANGUAGE.test(language) ? { attrs: { language } } : {};
      const code = String(token.text);
      return [{ type: "codeBlock", ...attrs, ...(code === "" ? {} : { content: [text(code)] }) }];
    }
    case "hr":
      return within === "document" ? [{ type: "rule" }] : [paragraph([text("———")])];
    case "blockquote": {
      if (within !== "document") return blocks(token.tokens ?? [], within);
      const content = blocks(token.tokens ?? [], "quotation");
      return content.length === 0 ? [] : [{ type: "blockquote", content }];
    }
    case "list":
      return [list(token as Tokens.List)];
    case "table":
      return table(token as Tokens.Table, within);
    case "paragraph":
    case "text":
      return filled(token.tokens ? inline(token.tokens, []) : lines(String(token.text), []));
    default:
      return filled(
        lines(
          String(token.raw ?? "")
            .replace(LINE_BREAK, "\n")
            .trim(),
          [],
        ),
      );
  }
}

const filled = (content: readonly AdfNode[]): AdfNode[] =>
  content.every((node) => node.type === "hardBreak" || node.text?.trim() === "") ? [] : [paragraph(content)];

function list({ ordered, start, items }: Tokens.List): AdfNode {
  const content = items.map((item): AdfNode => {
    const inner = blocks(item.tokens, "item");
    const box = item.task ? [text(item.checked ? "☑ " : "☐ ")] : [];
    const [first, ...rest] = inner;
    // An item begins with text or code.
    if (first?.type === "paragraph") return { type: "listItem", content: [withBefore(first, box), ...rest] };
    return {
      type: "listItem",
      content: first?.type === "codeBlock" && box.length === 0 ? inner : [paragraph(box), ...inner],
    };
  });
  const first = Number(start);
  if (!ordered) return { type: "bulletList", content };
  return {
    type: "orderedList",
    ...(Number.isSafeInteger(first) && first > 1 ? { attrs: { order: first } } : {}),
    content,
  };
}

const withBefore = (node: AdfNode, before: readonly AdfNode[]): AdfNode => ({
  ...node,
  content: [...before, ...(node.content ?? [])],
});

function table({ header, rows }: Tokens.Table, within: Within): AdfNode[] {
  const cells = [header, ...rows].map((row) => row.map((cell) => inline(cell.tokens, [])));
  if (within !== "document")
    return cells.flatMap((row) => filled(row.flatMap((cell, at) => (at === 0 ? cell : [text(" | "), ...cell]))));
  const content = cells.map((row, at) => ({
    type: "tableRow",
    content: row.map((cell) => ({ type: at === 0 ? "tableHeader" : "tableCell", content: [paragraph(cell)] })),
  }));
  return [{ type: "table", content }];
}

function inline(tokens: readonly Token[] | undefined, marks: readonly AdfMark[]): AdfNode[] {
  return (tokens ?? []).flatMap((token) => piece(token as Tokens.Generic, marks));
}

function piece(token: Tokens.Generic, marks: readonly AdfMark[]): AdfNode[] {
  const within = (type: string) => inline(token.tokens, withMark(marks, { type }));
  switch (token.type) {
    case "strong":
      return within("strong");
    case "em":
      return within("em");
    case "del":
      return within("strike");
    case "br":
      return [{ type: "hardBreak" }];
    case "codespan": {
      // Jira's editor combines code with no other mark, and removes code from a link at the next save.
      const isLinked = marks.some(({ type }) => type === "link");
      return token.text === "" ? [] : [text(String(token.text), isLinked ? marks : [{ type: "code" }])];
    }
    case "link":
      return linked(String(token.href), marks, (within) => inline(token.tokens, within));
    case "image":
      return linked(String(token.href), marks, (within, href) => lines(decoded(String(token.text)) || href, within));
    // Its list shows it.
    case "checkbox":
      return [];
    case "html":
      return lines(String(token.raw ?? "").replace(LINE_BREAK, "\n"), marks);
    case "text":
      // As it was written: of the references in the text of a token, those by number are decoded already.
      return token.tokens ? inline(token.tokens, marks) : lines(decoded(String(token.raw)), marks);
    case "escape":
      return lines(String(token.text), marks);
    default:
      return lines(String(token.raw ?? ""), marks);
  }
}

const withMark = (marks: readonly AdfMark[], mark: AdfMark): readonly AdfMark[] =>
  marks.some(({ type }) => type === mark.type) ? marks : [...marks, mark];

/** Only addresses of pages and mailboxes become links; where another one leads stands behind its text. */
function linked(
  target: string,
  marks: readonly AdfMark[],
  textOf: (marks: readonly AdfMark[], href: string) => AdfNode[],
): AdfNode[] {
  const shown = decoded(target).trim();
  const href = shown.replace(/\s/g, encodeURIComponent);
  if (ADDRESS.test(href)) return textOf(withMark(marks, { type: "link", attrs: { href } }), href);
  const content = textOf(marks, shown);
  const isSaid = content.map((node) => node.text ?? "").join("") === shown;
  return isSaid || shown === "" || NO_ADDRESS.test(shown) ? content : [...content, text(` (${shown})`, marks)];
}

/** Returns text with its line breaks. */
const lines = (value: string, marks: readonly AdfMark[]): AdfNode[] =>
  value
    .split("\n")
    .flatMap((line, at) => [
      ...(at === 0 ? [] : [{ type: "hardBreak" }]),
      ...(line.trim() === "" && line !== " " ? [] : [text(line, marks)]),
    ]);

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/gi;

/** Returns text with the characters that its references stand for, by number or by a name of HTML 5. */
const decoded = (value: string): string =>
  value.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return decodeNamedCharacterReference(name) || whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0x10ffff ? "\ufffd" : printable(String.fromCodePoint(code));
  });

/** Jira's documents hold no control characters. */
const printable = (value: string): string => value.replace(/[^\P{Cc}\n\t]/gu, "\ufffd").toWellFormed();
