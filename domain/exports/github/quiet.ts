import { oneLine } from "../cut.ts";
import { MARKER_START } from "./marker.ts";
import { type Span, spansOf } from "./spans.ts";

/** Invisible and of no width; GitHub reads `@` followed by it as plain text. */
const BREAK = "\u200b";

/**
 * An address in a text, to the next space or `<`: nothing in it is a mention or a reference, and a break would change where
 * it leads. Source: GitHub Flavored Markdown, "Autolinks (extension)"; cmark-gfm accepts any host that begins with a letter
 * or digit. GitHub makes no link of one within brackets, but people copy it.
 */
const ADDRESS = /(?<![A-Za-z])https?:\/\/[\p{L}\p{N}][^\s<]*/u;
/** `@name` and `@org/team`. A letter or digit before it makes it an e-mail address. */
const MENTION = /(?<![A-Za-z0-9])@(?=[A-Za-z0-9&])/;
/** `#12`, `owner/repo#12`, `GH-12`; not the number of a character, such as `&#8211;`. */
const REFERENCE = /#(?!(?<=&#)\d{1,7};)(?=[\d&])|\bGH-(?=\d)/;
/** `@`, `#` and `<` written as numbers or names of characters. */
const DISGUISED = /&#(?=(?:0*(?:60|64|35)|x0*(?:3c|40|23));)|&(?=(?:commat|num|lt);)/;
/** The start of a comment. */
const COMMENT = /<(?=!--)/g;

const LOUD = new RegExp(
  `(${ADDRESS.source})|${[MENTION, REFERENCE, DISGUISED].map(({ source }) => source).join("|")}`,
  "giu",
);

/** A page of GitHub that shows who links to it: of an issue, a pull request, a commit or a discussion. */
const TRACED = /^https?:\/\/(?:www\.)?github\.com\/(?=[\w.-]+\/[\w.-]+\/(?:issues|pull|commit|discussions)\/\w)/i;

/** How often a text is read again because a comment in it became text. Then no comment is taken for code any more. */
const READINGS_MAX = 4;

/**
 * Returns a text that looks the same in an issue but notifies nobody: no mentions, no references to other issues, no
 * comments, and links to issues of GitHub that leave no trace there. Code and addresses stay as they are; all other
 * Markdown works.
 */
export function quiet(text: string): string {
  const { shown, spans } = withoutComments(text.replace(MARKER_START, `<${BREAK}`));
  let at = 0;
  const parts = spans.map((span) => {
    const part = quietText(shown.slice(at, span.start)) + untouched(shown, span);
    at = span.end;
    return part;
  });
  return parts.join("") + quietText(shown.slice(at));
}

/**
 * Returns the text with its comments shown, and its spans. What follows a comment may be read in another way once the
 * comment is text, so it is read again.
 */
function withoutComments(text: string): { readonly shown: string; readonly spans: readonly Span[] } {
  let shown = text;
  for (let reading = 0; ; reading += 1) {
    const spans = spansOf(shown);
    const code = reading < READINGS_MAX ? spans.filter(({ kind }) => kind === "code") : [];
    const next = shown.replace(COMMENT, (found, offset: number) =>
      code.some(({ start, end }) => start <= offset && offset < end) ? found : `${found}${BREAK}`,
    );
    if (next === shown) return { shown, spans };
    shown = next;
  }
}

const untouched = (text: string, { kind, start, end, addressAt }: Span): string =>
  kind === "code" ? text.slice(start, end) : text.slice(start, addressAt) + untraced(text.slice(addressAt, end));

const quietText = (text: string): string =>
  text.replace(LOUD, (found: string, address: string | undefined) =>
    address === undefined ? `${found}${BREAK}` : untraced(address),
  );

/**
 * Returns an address by which GitHub leads to the same page without a trace there. Source: GitHub Docs, "Autolinked
 * references and URLs", "Avoiding backlinks to linked references".
 */
const untraced = (address: string): string => address.replace(TRACED, "https://redirect.github.com/");

/** Returns a text on one line, quiet and without Markdown, for use beside our own words. Addresses in it become links. */
export const plain = (text: string): string =>
  quietLine(text).replace(MARKS, (mark, address?: string) => address ?? `\\${mark}`);

/** Returns a text like `plain` for use as the text of a link, which cannot hold another one. */
export const plainInLink = (text: string): string => quietLine(text).replace(MARK, "\\$&");

const MARK = /[\\`*_{}[\]<>~|&!#]/g;
const MARKS = new RegExp(`(${ADDRESS.source})|${MARK.source}`, "giu");

/** Without Markdown there is no code, so this does not look for any. */
const quietLine = (text: string): string => quietText(oneLine(text).replace(COMMENT, `<${BREAK}`));
