import { expect, test } from "vitest";
import { asHtml, asText, type Letter, oneLine } from "./letter.ts";

const letter: Letter = {
  subject: "A <subject>",
  name: "Noor",
  paragraphs: ["First & foremost.", "Two\nlines."],
  link: { label: "Open it", url: "https://app.example.org/x?a=1&b=2" },
  more: ["Later."],
  footer: ["Small.", "Print."],
};

test("the plain text has the parts in order, and the address on a line of its own", () => {
  expect(asText(letter)).toBe(
    "Hello Noor,\n\nFirst & foremost.\n\nTwo\nlines.\n\nOpen it:\nhttps://app.example.org/x?a=1&b=2\n\nLater.\n\n-- \nSmall.\nPrint.",
  );
  expect(asText({ subject: "s", paragraphs: ["Only."] })).toBe("Hello,\n\nOnly.");
});

test("the HTML says the same in the same order, and loads nothing", () => {
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
    "Open it",
    letter.link?.url ?? "",
    "Later.",
    "Small.\nPrint.",
  ];
  expect(order.map((part) => words.indexOf(part))).toEqual(
    order.map((part) => words.indexOf(part)).sort((a, b) => a - b),
  );
  expect(order.every((part) => words.includes(part))).toBe(true);
  expect(html).not.toMatch(/<(img|script|link|iframe|style)|src=|url\(/);
  expect(html).toContain('name="viewport"');
});

test("no text becomes markup, wherever it stands", () => {
  const evil = `"><img src=x onerror='x'>&`;
  const html = asHtml({
    subject: evil,
    name: evil,
    paragraphs: [evil],
    link: { label: evil, url: `https://app.example.org/${evil}` },
    more: [evil],
    footer: [evil],
  });
  expect(html).not.toMatch(/<img|"><img|'x'/);
  expect(html.match(/&quot;&gt;&lt;img src=x onerror=&#39;x&#39;&gt;&amp;/g)).toHaveLength(8);
});

test("text that others chose is one line of at most 80 code points", () => {
  expect(oneLine(" a\r\n\tb\u202e c ")).toBe("a b c");
  expect(oneLine("𝄞".repeat(80))).toBe("𝄞".repeat(80));
  expect(oneLine("𝄞".repeat(81))).toBe(`${"𝄞".repeat(79)}…`);
});
