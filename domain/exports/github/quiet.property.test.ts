import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { runs } from "../../../tests/support/runs.ts";
import { plain, plainInLink, quiet } from "./quiet.ts";

const BREAK = "\u200b";

/** Pieces of an address after its host, with all that breaks readers of addresses. */
const inAddress = fc
  .array(
    fc.constantFrom(
      ...[
        "/",
        "/@anna",
        "#12",
        "#/GH-1",
        "?a=1&b=2",
        "@52.52,13.4",
        ",",
        "(",
        ")",
        "!",
        ";",
        "'",
        "$",
        "*",
        "|",
        "[",
        "]",
      ],
      ...[
        "é",
        "東京",
        "%20",
        "~",
        "_x_",
        "**",
        "`",
        "&#64;",
        "&amp;x",
        "\\",
        '"',
        "{",
        "}",
        "x",
        ".html",
        "=",
        "^",
        ":8",
      ],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));
const host = fc.constantFrom(
  ...[
    "example.com",
    "localhost:3000",
    "me@example.com",
    "me:secret@host",
    "bücher.example",
    "10.0.0.1",
    "a.b.c.example",
  ],
);
const address = fc
  .tuple(fc.constantFrom("http://", "https://", "HTTPS://"), host, inAddress)
  .map((parts) => parts.join(""));
/** Without what would end the target of a link. */
const target = address.map((one) => one.replace(/[()\\"<>\s]/g, ""));
const around = fc.constantFrom("", "Plan: ", "See @anna, ", "(", "**", "é", "1", "- [ ] ", "> ");

describe("an address in a text", () => {
  it("stays byte for byte, to the next space or `<`, and what follows it is quiet", () => {
    fc.assert(
      fc.property(around, address, fc.constantFrom(" ", "\n", "\n\n", "<br>"), (before, one, after) => {
        const text = quiet(`${before}${one}${after}@anna #12`);
        expect(text).toBe(`${before.replace("@anna", `@${BREAK}anna`)}${one}${after}@${BREAK}anna #${BREAK}12`);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("that is the target of a link, an image or a definition stays too, whatever it is", () => {
    const targets = fc.oneof(
      target,
      fc.constantFrom("docs/@anna/#12", "#12", "@anna", "../GH-1", "mailto:x@example.com"),
    );
    const forms = [
      (one: string) => `[plan](${one})`,
      (one: string) => `[plan]( <${one}> "title" )`,
      (one: string) => `![plan](${one})`,
      (one: string) => `[![plan](${one})](${one})`,
      (one: string) => `[plan]: ${one}`,
      (one: string) => `- [plan]: <${one}> 'title'`,
      (one: string) => `<a href="${one}">plan</a>`,
      (one: string) => `<div>\n<a title=x href='${one.replaceAll("'", "")}'>plan</a>\n</div>`,
      (one: string) => `<img alt="" src="${one}">`,
    ];
    fc.assert(
      fc.property(targets, fc.constantFrom(...forms), (one, form) => {
        expect(quiet(form(one))).toBe(form(one));
      }),
      { numRuns: runs(1_000) },
    );
    fc.assert(
      fc.property(target, (one) => {
        expect(quiet(`<${one}> @a`)).toBe(`<${one}> @${BREAK}a`);
      }),
    );
  });

  it("reaches over code and targets within it, and nothing is written twice", () => {
    for (const one of [
      "http://example.com](`@x`",
      "http://example.com](<a href='@x'",
      "see http://example.com](`a`,`b`)[x](#1)",
    ])
      expect(quiet(one).replaceAll(BREAK, "")).toBe(one);
  });

  it("is quiet where GitHub shows it as text", () => {
    // What looks like a target, and is none.
    for (const [text, shown] of [
      ["\\[plan](@anna)", `\\[plan](@${BREAK}anna)`],
      ["plan](#12)", `plan](#${BREAK}12)`],
      ["[^1]: @anna", `[^1]: @${BREAK}anna`],
      ['`<a href="`@anna">', `\`<a href="\`@${BREAK}anna">`],
      ['<iframe title="@anna">', `<iframe title="@${BREAK}anna">`],
      ["xhttps://example.com/@anna", `xhttps://example.com/@${BREAK}anna`],
      ["https:///@anna", `https:///@${BREAK}anna`],
      ["| a |\n|---|\n|https://example.com|@anna|", `| a |\n|---|\n|https://example.com|@${BREAK}anna|`],
      ["[https://example.com](x)@anna", `[https://example.com](x)@${BREAK}anna`],
    ] as const)
      expect(quiet(text)).toBe(shown);
  });

  it("of a page of GitHub that shows who links to it leads there without a trace", () => {
    const page = fc.constantFrom(
      "issues/12",
      "pull/3/files#r1",
      "commit/4c5d",
      "discussions/9?x=1",
      "issues/12#issuecomment-1",
    );
    const site = fc.constantFrom(
      "https://github.com/",
      "http://github.com/",
      "https://www.github.com/",
      "HTTPS://GitHub.com/",
    );
    const forms = [
      (one: string) => one,
      (one: string) => `(${one}`,
      (one: string) => `[it](${one} "@x")`,
      (one: string) => `[it](<${one}>)`,
      (one: string) => `<${one}>`,
      (one: string) => `see [it][x]\n\n[x]: ${one}`,
      (one: string) => `<a href="${one}">it</a>`,
      (one: string) => `[${one}](https://example.com)`,
    ];
    fc.assert(
      fc.property(site, page, fc.constantFrom(...forms), (before, after, form) => {
        const written = quiet(form(`${before}other/repo.js/${after}`));
        expect(written).toBe(form(`https://redirect.github.com/other/repo.js/${after}`));
        expect(quiet(written)).toBe(written);
      }),
    );
    for (const other of [
      "https://github.com/other/repo",
      "https://github.com/other/repo/issues",
      "https://github.com/other/repo/blob/main/a.ts#L12",
      "https://gist.github.com/a/issues/1",
      "https://example.com/?to=https://github.com/other/repo/issues/1",
      "https://github.example.com/other/repo/issues/1",
    ])
      expect(quiet(other)).toBe(other);
    expect(quiet("`https://github.com/other/repo/issues/1`")).toBe("`https://github.com/other/repo/issues/1`");
  });
});

describe("code in a text", () => {
  const code = fc
    .array(
      fc.constantFrom(
        "@Override",
        "#12",
        "GH-1",
        "<!-- x -->",
        "&#64;",
        "a",
        " ",
        "https://x/@y",
        "(",
        "*",
        "[x](",
        "é",
      ),
      {
        minLength: 1,
        maxLength: 10,
      },
    )
    .map((parts) => `x${parts.join("")}x`);

  it("stays as it is: in spans and in closed fences", () => {
    const forms = [
      (one: string) => `Use \`${one}\`.`,
      (one: string) => `Use \`\` ${one} \`\`, *please*.`,
      (one: string) => `\`\`\`ts\n${one}\n\n${one}\n\`\`\``,
      (one: string) => `~~~~\n${one}\n~~~\n~~~~~\n\nafter`,
      (one: string) => `- item\n\n  \`\`\`\n  ${one}\n  \`\`\`\n`,
      (one: string) => `> \`\`\`\n> ${one}\n> \`\`\``,
      (one: string) => `| a |\n|---|\n| \`${one}\` |`,
    ];
    fc.assert(
      fc.property(code, fc.constantFrom(...forms), (one, form) => {
        expect(quiet(form(one))).toBe(form(one));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("is text where GitHub reads it as text", () => {
    for (const [text, shown] of [
      ["`@anna", `\`@${BREAK}anna`],
      ["\\`@anna`", `\\\`@${BREAK}anna\``],
      ["`a\n\n@anna`", `\`a\n\n@${BREAK}anna\``],
      ["    @anna", `    @${BREAK}anna`],
      ["```\n@anna", `\`\`\`\n@${BREAK}anna`],
      ["> ```\n@anna\n> ```", `> \`\`\`\n@${BREAK}anna\n> \`\`\``],
      ["<div>\n```\n@anna\n```\n</div>", `<div>\n\`\`\`\n@${BREAK}anna\n\`\`\`\n</div>`],
      [
        "`<!-- exported-task exi_01k0000000zzzzzzzzzzzzzzzz -->`",
        `\`<${BREAK}!-- exported-task exi_01k0000000zzzzzzzzzzzzzzzz -->\``,
      ],
      // Once the comment is text, the code ends elsewhere.
      ["<!-- ` --> `<!-- @anna -->", `<${BREAK}!-- \` --> \`<${BREAK}!-- @${BREAK}anna -->`],
    ] as const)
      expect(quiet(text)).toBe(shown);
  });
});

it("a text that is nested or written in an absurd way is quiet, quickly", () => {
  for (const part of [
    "> ",
    "- ",
    "`",
    "[",
    "![](",
    "*a_",
    "<!--",
    "<a href=",
    "@a`",
    "|",
    "~~",
    "[^1]: ",
    "1. a\n",
    "&#64;",
    "https://",
  ]) {
    const text = quiet(`${part.repeat(limits.descriptionLength / part.length)} @anna`);
    expect(text.endsWith("@anna") && !/[`(]/.test(part)).toBe(false);
    expect(text).not.toContain("<!--");
  }
});

it("a title beside our own words has its addresses whole, but not within a link", () => {
  expect(plain("See https://example.com/a_b#1, @anna_b & `x`")).toBe(
    `See https://example.com/a_b#1, @${BREAK}anna\\_b \\& \\\`x\\\``,
  );
  expect(plainInLink("See https://example.com/a_b](x")).toBe("See https://example.com/a\\_b\\](x");
  expect(plain("<!-- `@anna`")).toBe(`\\<${BREAK}\\!-- \\\`@${BREAK}anna\\\``);
});
