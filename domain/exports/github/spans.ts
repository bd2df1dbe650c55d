import { parse, postprocess, preprocess } from "micromark";
import { gfm } from "micromark-extension-gfm";

/** A part of a text in which GitHub looks neither for mentions nor for references. */
export interface Span {
  readonly kind: "code" | "address";
  /** Offsets in the text, the end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Where the address begins in a span of that kind, which may also hold its brackets and a title. */
  readonly addressAt: number;
}

/** Characters and depth up to which a text is read: more than a description has, and than people nest. */
const READ_MAX = 20_000;
const NESTED = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){12}/m;

/** Tokens that hold an address, with the token within them that is the address. */
const HOLDERS: Readonly<Record<string, string>> = {
  resource: "resourceDestinationString",
  definition: "definitionDestinationString",
  autolink: "autolinkProtocol",
  literalAutolink: "literalAutolinkHttp",
  // `[text][name]`: the name has to stay equal to that of its definition.
  reference: "",
};
const ADDRESSES: ReadonlySet<string> = new Set(Object.values(HOLDERS));
const CODE: ReadonlySet<string> = new Set(["codeText", "codeFenced"]);
const CELLS: ReadonlySet<string> = new Set(["tableData", "tableHeader"]);
const HTML: ReadonlySet<string> = new Set(["htmlText", "htmlFlow"]);

/** The target of a link or an image in HTML. Of other elements GitHub shows some as text. */
const HTML_TARGET = /(<(?:a|img)\s[^<>]*?\b(?:href|src)\s*=\s*["']?)((?<=")[^"]*|(?<=')[^']*|[^\s"'<>]+)/gi;

/**
 * Returns the code and the addresses of a Markdown text, in order, as GitHub reads it; none of a text that is longer or
 * nested deeper than what people write. What is only indented, and a fence that is never closed, counts as text: few people mean code by it.
 *
 * Source: GitHub Flavored Markdown, https://github.github.com/gfm/
 */
export function spansOf(text: string): readonly Span[] {
  if (text.length > READ_MAX || NESTED.test(text)) return [];
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  const spans: Span[] = [];
  let holder: { readonly token: object; readonly start: number; end: number; addressAt: number } | null = null;
  let cellEnd = text.length;
  for (const [side, token] of events) {
    const { start, end } = token;
    // Also those that only GitHub's Markdown has.
    const type: string = token.type;
    if (CELLS.has(type)) cellEnd = side === "enter" ? end.offset : text.length;
    if (side === "exit") {
      if (token !== holder?.token) continue;
      spans.push({ kind: "address", start: holder.start, end: holder.end, addressAt: holder.addressAt });
      holder = null;
    } else if (type === "literalAutolinkEmail") {
      // Whose `@` is no mention anyway.
      holder = null;
    } else if (CODE.has(type)) {
      if (type !== "codeFenced" || isClosed(text.slice(start.offset, end.offset)))
        spans.push({ kind: "code", start: start.offset, end: end.offset, addressAt: end.offset });
    } else if (HTML.has(type)) {
      spans.push(...targetsIn(text.slice(start.offset, end.offset), start.offset));
    } else if (type in HOLDERS) {
      const last = type === "literalAutolink" ? Math.min(cellEnd, endOfBare(text, end.offset)) : end.offset;
      holder ??= { token, start: start.offset, end: last, addressAt: start.offset };
    } else if (holder && ADDRESSES.has(type)) {
      holder.addressAt = start.offset;
    }
  }
  // An address in a text may reach over what the parser reads behind it.
  let last = 0;
  return spans.filter(({ start, end }) => {
    if (start < last) return false;
    last = end;
    return true;
  });
}

/** Returns where an address in a text ends: GitHub goes on to the next space or `<`, and leaves out signs at the end only. */
function endOfBare(text: string, from: number): number {
  const length = text.slice(from).search(/[\s<]/);
  return length < 0 ? text.length : from + length;
}

/** Returns whether the last line of a fenced block closes it. The line may stand in a quotation or a list. */
function isClosed(fenced: string): boolean {
  const fence = /^(`{3,}|~{3,})/.exec(fenced)?.[1] ?? "";
  const last = /\n[\s>]*(`{3,}|~{3,})[ \t]*$/.exec(fenced)?.[1] ?? "";
  return fence !== "" && last.startsWith(fence);
}

const targetsIn = (html: string, offset: number): Span[] =>
  [...html.matchAll(HTML_TARGET)].map(({ index, 1: before = "", 2: target = "" }) => {
    const start = offset + index + before.length;
    return { kind: "address", start, end: start + target.length, addressAt: start };
  });
