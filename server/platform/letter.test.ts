import { expect, test } from "vitest";
import { asHtml, asText, inWords, type Letter, oneLine } from "./letter.ts";

const letter: Letter = {
  subject: "A <subject>",
  name: "Noor",
  paragraphs: ["First & foremost.", "Two\nlines."],
  link: { label: "Open it", url: "https://app.example.org/x?a=1&b=2" },
  more: ["Later."],
  quote: "What do\nyou think?",
  unsubscribeUrl: "https://app.example.org/off?a=1&b=2",
};

test("the plain text has the parts in order, and the address on a line of its own", () => {
  expect(asText(letter)).toBe(
    "Hello Noor,\n\nFirst & foremost.\n\nTwo\nlines.\n\n> What do\n> you think?\n\nOpen it:\nhttps://app.example.org/x?a=1&b=2\n\nLater.\n\n-- \nGet no more mails of this kind:\nhttps://app.example.org/off?a=1&b=2",
  );
  expect(asText({ subject: "s", paragraphs: ["Only."] })).toBe("Hello,\n\nOnly.");
});

test("the HTML has the same content in the same order, and loads nothing", () => {
  const html = asHtml(letter);
  const words = html
    .replace(/^.*<body[^>]*>/s, "")
    .replace(/<br>/g, "\n")
    .replace(/<[^>]+>/g, "")
    .replaceAll("&amp;", "&");
  const order = [
    "Hello Noor,",
    "First & foremost.",
    "Two\nlines.",
    "What do\nyou think?",
    "Open it",
    letter.link?.url ?? "",
    "Later.",
    "Get no more mails of this kind",
  ];
  expect(html).toContain('href="https://app.example.org/off?a=1&amp;b=2"');
  expect(order.map((part) => words.indexOf(part))).toEqual(
    order.map((part) => words.indexOf(part)).sort((a, b) => a - b),
  );
  expect(order.every((part) => words.includes(part))).toBe(true);
  expect(html).not.toMatch(/<(img|script|link|iframe|style)|src=|url\(/);
  expect(html).toContain('name="viewport"');
});

test("no text becomes markup, in any part of the letter", () => {
  const evil = `"><img src=x onerror='x'>&`;
  const html = asHtml({
    subject: evil,
    name: evil,
    paragraphs: [evil],
    link: { label: evil, url: `https://app.example.org/${evil}` },
    more: [evil],
    quote: evil,
    unsubscribeUrl: `https://app.example.org/${evil}`,
  });
  expect(html).not.toMatch(/<img|"><img|'x'/);
  expect(html.match(/&quot;&gt;&lt;img src=x onerror=&#39;x&#39;&gt;&amp;/g)).toHaveLength(9);
});

test("a time is written to the minute, in UTC", () => {
  expect(inWords(new Date("2026-03-04T23:59:59.999Z"))).toBe("4 March 2026 at 23:59 UTC");
  expect(inWords(new Date("2026-12-22T00:00:00.000Z"))).toBe("22 December 2026 at 00:00 UTC");
});

test("text chosen by other users is one line of at most 80 code points", () => {
  expect(oneLine(" a\r\n\tb\u202e c ")).toBe("a b c");
  expect(oneLine("𝄞".repeat(80))).toBe("𝄞".repeat(80));
  expect(oneLine("𝄞".repeat(81))).toBe(`${"𝄞".repeat(79)}…`);
});
