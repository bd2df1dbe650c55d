/** Code points of a title or a name in a mail: one line. */
const TEXT_LENGTH = 80;

/** What a mail says. Its plain text and its HTML are both made from this. All of it is plain text. */
export interface Letter {
  readonly subject: string;
  /** The recipient's name; only for a verified address, because otherwise another person may have chosen it. */
  readonly name?: string | undefined;
  /** What happened. A line break within a paragraph stays. */
  readonly paragraphs: readonly string[];
  /** Text that another person wrote. */
  readonly quote?: string | undefined;
  /** The link that the recipient should open. */
  readonly link?: { readonly label: string; readonly url: string };
  /** Further information. */
  readonly more?: readonly string[];
  /** How to turn such mails off. */
  readonly unsubscribeUrl?: string | undefined;
}

const UNSUBSCRIBE = "Get no more mails of this kind";

const greetingOf = ({ name }: Letter): string => (name === undefined ? "Hello," : `Hello ${oneLine(name)},`);

/** Returns the letter as plain text: paragraphs with an empty line between them. */
export function asText(letter: Letter): string {
  const { paragraphs, quote, link, more = [], unsubscribeUrl } = letter;
  return [
    greetingOf(letter),
    ...paragraphs,
    ...(quote === undefined ? [] : [quote.replace(/^/gm, "> ")]),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...more,
    // "-- " begins what mail programs treat as a signature.
    ...(unsubscribeUrl === undefined ? [] : [`-- \n${UNSUBSCRIBE}:\n${unsubscribeUrl}`]),
  ].join("\n\n");
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
/** Paler, on a light and on a dark ground: programs choose the ground and the colour of text together. */
const SMALL = "font-size:13px;opacity:0.75";
const QUOTE = "margin:16px 0;padding:4px 0 4px 12px;border-left:3px solid #8c959f";

/** Returns the same as an HTML document, without pictures, scripts or anything that is loaded from elsewhere. */
export function asHtml(letter: Letter): string {
  const { subject, paragraphs, quote, link, more = [], unsubscribeUrl } = letter;
  const lines = (text: string) => escaped(text).replaceAll("\n", "<br>");
  const paragraph = (text: string) => `<p>${lines(text)}</p>`;
  const anchor = (to: string, text: string) => `<a href="${escaped(to)}" style="color:inherit">${escaped(text)}</a>`;
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
    ...(quote === undefined ? [] : [`<blockquote style="${QUOTE}">${lines(quote)}</blockquote>`]),
    ...button,
    ...more.map(paragraph),
    ...(unsubscribeUrl === undefined ? [] : [`<hr><p style="${SMALL}">${anchor(unsubscribeUrl, UNSUBSCRIBE)}</p>`]),
    "</div></body></html>",
  ].join("\n");
}

const MINUTES = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Returns a time in words, to the minute: `4 March 2026 at 05:06 UTC`. The time zone of readers is not known. */
export const inWords = (at: Date): string => `${MINUTES.format(at)} UTC`;

/**
 * Returns text that a user chose as one line of visible characters, cut to `TEXT_LENGTH` code points. A mail
 * may contain such text only if its reader's address is verified.
 */
export function oneLine(text: string): string {
  const characters = [...text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()];
  return characters.length <= TEXT_LENGTH ? characters.join("") : `${characters.slice(0, TEXT_LENGTH - 1).join("")}…`;
}
