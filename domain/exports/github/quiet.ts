import { oneLine } from "../cut.ts";

/** Invisible and of no width; GitHub reads `@` followed by it as plain text. */
const BREAK = "\u200b";

/**
 * Addresses that GitHub makes links as a whole, so that nothing in them is a mention or a reference. A break would change
 * where they lead. Source: GitHub Flavored Markdown, "Autolinks (extension)".
 */
const ADDRESS = /(?<=^|[\s*~(<])https?:\/\/(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+(?::\d+)?(?:[/?#][\w.~%/?&=+#:@-]*)?/;
/** `@name` and `@org/team`. A letter or digit before it makes it an e-mail address. */
const MENTION = /(?<![A-Za-z0-9])@(?=[A-Za-z0-9&])/;
/** `#12`, `owner/repo#12`, `GH-12`; not the number of a character, such as `&#8211;`. */
const REFERENCE = /#(?!(?<=&#)\d{1,7};)(?=[\d&])|\bGH-(?=\d)/;
/** The start of a comment. */
const COMMENT = /<(?=!--)/;
/** `@`, `#` and `<` written as numbers or names of characters. */
const DISGUISED = /&#(?=(?:0*(?:60|64|35)|x0*(?:3c|40|23));)|&(?=(?:commat|num|lt);)/;

const ALL = new RegExp(
  `(${ADDRESS.source})|${[MENTION, REFERENCE, COMMENT, DISGUISED].map(({ source }) => source).join("|")}`,
  "gi",
);

/**
 * Returns a text that looks the same in an issue but notifies nobody: no mentions, no references to other issues, no
 * comments. All other Markdown works.
 */
export const quiet = (text: string): string =>
  text.replace(ALL, (found: string, address: string | undefined) => address ?? `${found}${BREAK}`);

/** Returns a text on one line, quiet and without Markdown, for use beside our own words. */
export const plain = (text: string): string =>
  quiet(oneLine(text)).replace(/[\\`*_{}[\]<>~|&!#]/g, (mark) => `\\${mark}`);
