import { limits } from "../../contract/limits.ts";

/** What a mail says. Its plain text and its HTML are both made from this. All of it is plain text. */
export interface Letter {
  readonly subject: string;
  /** The reader's name; only for a verified address, because otherwise somebody else may have chosen it. */
  readonly name?: string | undefined;
  /** What happened. A line break within a paragraph is kept. */
  readonly paragraphs: readonly string[];
  /** What the reader is to open. */
  readonly link?: { readonly label: string; readonly url: string };
  /** What is good to know then. */
  readonly more?: readonly string[];
  /** Small print, such as how to get no more such mails. */
  readonly footer?: readonly string[];
}

const greetingOf = ({ name }: Letter): string => (name === undefined ? "Hello," : `Hello ${oneLine(name)},`);

/** Returns the letter as plain text: paragraphs with an empty line between them. */
export function asText(letter: Letter): string {
  const { paragraphs, link, more = [], footer = [] } = letter;
  const body = [greetingOf(letter), ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...more];
  // "-- " begins what mail programs treat as a signature.
  return [...body, ...(footer.length > 0 ? [`-- \n${footer.join("\n")}`] : [])].join("\n\n");
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] as string);

const BODY = "margin:0;padding:16px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif";
/** As wide as its window, and words that are longer than a line are broken: it can be read on a phone. */
const COLUMN = "max-width:560px;margin:0 auto;overflow-wrap:anywhere;word-break:break-word";
const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none";
const SMALL = "font-size:13px;color:#57606a";

/** Returns the same as an HTML document, without pictures, scripts or anything that is loaded from elsewhere. */
export function asHtml(letter: Letter): string {
  const { subject, paragraphs, link, more = [], footer = [] } = letter;
  const paragraph = (text: string) => `<p>${escaped(text).replaceAll("\n", "<br>")}</p>`;
  const url = escaped(link?.url ?? "");
  const button = link
    ? [`<p><a href="${url}" style="${BUTTON}">${escaped(link.label)}</a></p>`, `<p style="${SMALL}">${url}</p>`]
    : [];
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>`,
    `<body style="${BODY}"><div style="${COLUMN}">`,
    paragraph(greetingOf(letter)),
    ...paragraphs.map(paragraph),
    ...button,
    ...more.map(paragraph),
    ...(footer.length > 0 ? [`<hr><p style="${SMALL}">${footer.map(escaped).join("<br>")}</p>`] : []),
    "</div></body></html>",
  ].join("\n");
}

/**
 * Returns text that somebody chose as one line of visible characters, cut to `limits.mailedTextLength` code points. A mail
 * may contain such text only if its reader's address is verified.
 */
export function oneLine(text: string): string {
  const characters = [...text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()];
  const { mailedTextLength } = limits;
  return characters.length <= mailedTextLength
    ? characters.join("")
    : `${characters.slice(0, mailedTextLength - 1).join("")}…`;
}
