import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, it, vi } from "vitest";
import { writeTitle } from "./outline-fields.ts";
import { readText } from "./outline-text.ts";
import { numbersOf, readLine } from "./read-line.ts";

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };

/** The text of HTML without tags. */
const decoded = (html: string): string => html.replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => ENTITIES[name] ?? "");

/** How often text was matched while `work` ran. */
function matches(work: () => void): number {
  const exec = vi.spyOn(RegExp.prototype, "exec");
  try {
    work();
    return exec.mock.calls.length;
  } finally {
    exec.mockRestore();
  }
}

describe("a title in an outline", () => {
  it.each([
    ["hours", "Login: 4", "Login\\: 4"],
    ["what only begins like hours", "Phase: 2 of 3", "Phase\\: 2 of 3"],
    ["hours behind many spaces", "a:    4", "a\\:    4"],
    ["an override", "a: =4", "a\\: =4"],
    ["a quantity", "a: ×2", "a\\: ×2"],
    ["a role", "a: @b", "a\\: @b"],
    ["a unit with a colon", "a: x1(b: 1z)", "a\\: x1(b\\: 1z)"],
    ["a colon in a role", "a: @b: 1", "a\\: @b\\: 1"],
    ["a backslash before the colon", "a\\: 4", "a\\\\\\: 4"],
    ["text after a colon", "Note: later, x times", "Note: later, x times"],
    ["a colon without a space", "a:4", "a:4"],
  ])("with %s is read as it was", (_, title, written) => {
    expect(writeTitle(title)).toBe(written);
    expect(readLine(written, numbersOf("."))).toMatchObject({ title: written, words: null, unread: null });
    expect(readText(written)).toBe(title);
  });

  it.each([
    ["an HTML tag", "<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)>"],
    ["a link", "[Look](https://example.com)", "\\[Look\\](https\\://example.com)"],
    ["an image", "![x](y)", "\\!\\[x\\](y)"],
    ["code", "`rm`", "\\`rm\\`"],
    ["a list", "- one", "\\- one"],
    ["a numbered list", "1. one", "1\\. one"],
    ["a heading", "# one", "\\# one"],
  ])("with %s is written as text", (_, title, written) => {
    expect(writeTitle(title)).toBe(written);
    expect(readText(written)).toBe(title);
  });

  it("is rendered by Markdown unchanged, and read back, whatever its characters", () => {
    const part = fc.constantFrom(
      ..."<>&![]()`*_~#+-=.:|\\/\"'$^{}",
      ...[
        "a",
        "b ",
        " c",
        "1",
        "https://example.com",
        "www.example.com",
        "a@example.com",
        "&amp;",
        "</b>",
        "---",
        "1)",
        "```",
      ],
    );
    const shown = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join("").trim());
    fc.assert(
      fc.property(
        shown.filter((title) => title !== ""),
        (title) => {
          const written = writeTitle(title);
          expect(readText(written)).toBe(title);
          for (const [before, after, line] of [
            ["<h1>", "</h1>\n", `# ${written}`],
            ["<ul>\n<li>", "</li>\n</ul>\n", `- ${written}`],
          ] as const) {
            const html = marked.parse(line, { async: false });
            expect([html.slice(0, before.length), html.slice(-after.length)]).toEqual([before, after]);
            const inner = html.slice(before.length, html.length - after.length);
            expect(inner).not.toMatch(/[<>]/);
            expect(decoded(inner)).toBe(title);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["begins like hours", ": 1 z"],
    ["are hours", ": 1"],
    ["is a role", ": @a"],
    ["is anything else", ": z"],
  ])("is written in time that grows with the number of its colons, if what follows %s", (_, part) => {
    const matchesFor = (colons: number) => matches(() => writeTitle(`a${part.repeat(colons)}`));
    expect(matchesFor(400)).toBeLessThan(2.5 * matchesFor(200));
  });
});
