import { describe, expect, test } from "vitest";
import { importOutline } from "../import-outline.ts";
import { checkShape } from "../testing/check-shape.ts";
import { shortOf } from "../testing/short.ts";
import type { OutlineOptions } from "./read-outline.ts";

const read = (text: string, more: Partial<OutlineOptions> = {}) =>
  importOutline(text, checkShape, { decimal: ".", untitled: "Untitled", ...more });
const short = (text: string, more: Partial<OutlineOptions> = {}) => shortOf(read(text, more));
const said = (text: string) => {
  const outcome = read(text);
  if (!outcome.ok) throw new Error(shortOf(outcome));
  const { lines, skipped, noted } = outcome.taken;
  return { lines, skipped: skipped.map(asText), noted: noted.map(asText) };
};
const asText = ({ line, message }: { line: number; message: string }) => `${line}: ${message}`;

describe("the signs of a list", () => {
  test.each([
    ["of Markdown, in any mixture", "- A\n* B\n+ C", "Untitled: A[] B[] C[]"],
    ["of other programs", "• A\n  ◦ a: 1\n  ▪ b: 2\n‣ B", "Untitled: A[a 1, b 2] B[]"],
    ["that are dashes", "– A\n  — a: 1\n– B", "Untitled: A[a 1] B[]"],
    ["without a space", "•A\n•B", "Untitled: A[] B[]"],
    ["that are numbers", "1. A\n   1) a: 1\n   2) b: 2\n2. B", "Untitled: A[a 1, b 2] B[]"],
    ["that are numbers without a right order", "1. A\n1. B", "Untitled: A[] B[]"],
    ["that are letters below numbers", "1. A\na) a: 1\nb) b: 2\n2. B", "Untitled: A[a 1, b 2] B[]"],
    ["below numbers on the same indentation", "1. A\n- a: 1\n- b: 2\n2. B", "Untitled: A[a 1, b 2] B[]"],
    ["above numbers on the same indentation", "- A\n1. B\n2. C\n- D", "Untitled: A[] B[] C[] D[]"],
    [
      "and numbers in a title",
      "- 3 screens\n- 2.5 days\n- 2024 report",
      "Untitled: 3 screens[] 2.5 days[] 2024 report[]",
    ],
    [
      "and numbers at the begin of a line",
      "3 screens\n2.5 days\n2024 report",
      "Untitled: 3 screens[] 2.5 days[] 2024 report[]",
    ],
    ["of OmniOutliner", "- A\n\t- a\n\t\t- B\n\t\t\t- b: 4\n- C", "Untitled: A[a{B[b 4]}] C[]"],
  ])("%s", (_, text, tree) => expect(short(text)).toBe(tree));

  test("a number that does not go on is named, because it may have been a part of the title", () => {
    expect(said("1. A\n2. B\n12. June").noted).toEqual(["3: 12 is read as the number of a list, and left out"]);
    expect(said("1. A\n1. B\n2. C").noted).toEqual([]);
  });
});

describe("numbers of chapters", () => {
  const tree = "Untitled: A[a{x[]}, b] B[c]";
  test.each([
    ["with points at the end", "1. A\n1.1. a\n1.1.1. x\n1.2. b\n2. B\n2.1. c", tree],
    ["without", "1 A\n1.1 a\n1.1.1 x\n1.2 b\n2 B\n2.1 c", tree],
    ["with a zero", "1.0 A\n1.1 a\n1.1.1 x\n1.2 b\n2.0 B\n2.1 c", tree],
    ["that are indented too", "1 A\n  1.1 a\n    1.1.1 x\n  1.2 b\n2 B\n  2.1 c", tree],
    ["of which one is missing", "1 A\n1.1 a\n1.1.1 x\n1.3 b\n2 B\n2.1 c", tree],
    ["with signs below", "1 A\n1.1 a: 4\n1.2 b\n- B\n  - c\n2 C", "Untitled: A[a 4, b{B[c]}] C[]"],
    ["above all others", "1 Shop\n1.1 A\n1.1.1 a\n1.2 B", "Shop: A[a] B[]"],
    ["beside titles that begin with one", "1 A\n1.1 a\n1.2 b\n- 3 screens\n2 B", "Untitled: A[a, b{3 screens[]}] B[]"],
  ])("%s give the levels", (_, text, expected) => expect(short(text)).toBe(expected));
});

describe("indentation", () => {
  test.each([
    ["by one space", "- A\n - a\n  - B\n   - b", "Untitled: A[a{B[b]}]"],
    ["by tabs", "- A\n\t- a\n\t\t- B", "Untitled: A[a{B[]}]"],
    ["by tabs behind spaces, which end at the next multiple of four", "- A\n  \t- a\n    - b", "Untitled: A[a, b]"],
    ["by no-break spaces", "- A\n\u00A0\u00A0- a: 1\n\u00A0 - b: 2", "Untitled: A[a 1, b 2]"],
    ["by a tab behind the sign", "-\tA\n\t-\ta", "Untitled: A[a]"],
    ["that begins late", "  - A\n    - a\n  - B", "Untitled: A[a] B[]"],
    ["without signs", "A\n  a: 4\n  b\nB", "Untitled: A[a 4, b] B[]"],
    ["without signs, with tabs", "Shop\n\tA\n\t\ta: 4\n\tB", "Shop: A[a 4] B[]"],
  ])("%s", (_, text, tree) => expect(short(text)).toBe(tree));

  test.each([
    ["belongs to the item whose text begins before it", "- A\n    - a: 1\n  - b: 2", "Untitled: A[a 1, b 2]"],
    ["stands beside an item whose text begins behind it", "- A\n   - a\n - B", "Untitled: A[a] B[]"],
  ])("between two levels %s, as in Markdown, and is named", (_, text, tree) => {
    expect(short(text)).toBe(tree);
    expect(said(text).noted).toEqual([expect.stringMatching(/^3: is indented as no line above it/)]);
  });
});

describe("headings", () => {
  test.each([
    ["are levels, with lists below them", "# Shop\n## A\n- a: 4\n### b\n- B\n## C", "Shop: A[a 4, b{B[]}] C[]"],
    ["leave out a level", "# Shop\n### A\n- a\n## B", "Shop: A[a] B[]"],
    ["of which several are of the first level are items", "# A\n- a: 4\n# B\n- b", "Untitled: A[a 4] B[b]"],
    ["of the first level that do not come first are items", "## A\n- a\n# B", "Untitled: A[a] B[]"],
    ["without one of the first level", "## A\n- a\n## B", "Untitled: A[a] B[]"],
    ["that are underlined", "Shop\n====\n\nA\n---\n- a\n\nB\n--\n", "Shop: A[a] B[]"],
    ["that end in signs", "# Shop #\n## A ##\n- a", "Shop: A[a]"],
    ["with hours", "# Shop\n## A\n### a: 4\n### b", "Shop: A[a 4, b]"],
    ["that say how they are answered", "# Shop\n## A (Choose one)\n- [x] a\n- [ ] b", "Shop: A?[x a, b]"],
    ["of assumptions", "# Shop\n## Assumptions\n> none\n## A\n- a", "Shop: A[a]"],
  ])("%s", (_, text, tree) => expect(short(text)).toBe(tree));

  test("take the text below them as their description, and say so", () => {
    const text = "# Shop\n## A\nWhat for,\nand how.\n- a\n";
    expect(short(text)).toBe('Shop: A "What for,\nand how."[a]');
    expect(said(text).noted).toEqual([3, 4].map((line) => `${line}: is read as the description of “A”`));
  });
});

describe("a title", () => {
  test.each([
    ["stands above a list", "Shop\n\n- A\n- B", "Shop: A[] B[]"],
    ["is the first line if all others are below it", "Shop\n  A\n    a: 4\n  B\n", "Shop: A[a 4] B[]"],
    ["is that also with a sign or number of other programs", "• Shop\n  ◦ A", "Shop: A[]"],
    ["is that also above another sign", "1. Shop\n- A", "Shop: A[]"],
    ["is no item of a list", "- Shop\n  - A", "Untitled: Shop[A]"],
    ["is no line beside others", "A\n  a: 4\nB", "Untitled: A[a 4] B[]"],
    ["is no line alone", "A", "Untitled: A[]"],
    ["stands above headings without a sign", "Shop\n\nA\n\n- a: 4\n\nB\n\n- b: 3", "Shop: A[a 4] B[b 3]"],
    ["is none of several lines above a list", "Shop\nA\nB", "Untitled: Shop[] A[] B[]"],
    ["may have settings below it", "Shop\nClient: Ada\n- A", "Shop: A[]"],
    ["is not needed", "Client: Ada\n\n- A: 4", "Untitled: Untitled[A 4]"],
    ["in bold", "**Shop**\n- A", "Shop: A[]"],
  ])("%s", (_, text, expected) => expect(short(text)).toBe(expected));

  test("is taken for none in a part of an estimation, but where it has its sign", () => {
    expect(short("A\n  a: 4", { isPart: true })).toBe("Untitled: A[a 4]");
    expect(short("A\n- a: 4", { isPart: true })).toBe("Untitled: A[a 4]");
    expect(short("# Shop\n- A", { isPart: true })).toBe("Shop: A[]");
  });

  test.each([
    ["no heading", "- A: 4", 1, /first line/],
    ["no sign", "Shop\n- A", 1, /must begin with/],
    ["several headings", "# A\n# B", 2, /title already/],
  ])("has to be written with its sign where that is needed: %s", (_, text, line, message) => {
    const outcome = read(text, { needsTitle: true });
    expect(outcome).toMatchObject({ ok: false, faults: [{ line, message: expect.stringMatching(message) }] });
  });
});

describe("lines without a sign", () => {
  test.each([
    ["above items", "A\n  - a: 4\nB\n  - b: 3", "Untitled: A[a 4] B[b 3]"],
    ["above items on the same indentation", "A\n- a: 4\n\nB\n- b: 3", "Untitled: A[a 4] B[b 3]"],
    ["above items, below a title", "Shop\n A\n   - a: 4\n B\n   - b: 3", "Shop: A[a 4] B[b 3]"],
  ])("%s are items", (_, text, tree) => expect(short(text)).toBe(tree));

  test.each([
    ["below an item", "- A\n  more about it\n- B", [2]],
    ["below a title with its sign", "# Shop\nA", [2]],
    ["with a setting behind the first item", "Shop\n- a\nClient: Ada\n- b", [3]],
    ["with the row of a table", "# Shop\n## A\n| a | b |", [3]],
  ])("%s are named, and nothing is taken", (_, text, lines) => {
    const outcome = read(text);
    expect(outcome.ok ? [] : outcome.faults.map(({ line }) => line)).toEqual(lines);
  });
});

describe("boxes and emphasis", () => {
  test.each([
    ["task boxes", "- A\n  - [ ] a\n  - [x] b\n  - [X] c", "Untitled: A*[a, x b, x c]"],
    ["boxes that are characters", "- A\n  - ☐ a\n  - ☑ b\n  - ☒ c\n  - ✓ d", "Untitled: A*[a, x b, x c, x d]"],
    ["boxes instead of signs", "Shop\n  A\n    ☐ a\n    ✓ b", "Shop: A*[a, x b]"],
    ["bold titles", "- **A**\n  - **a**: 4\n  - **b:** 3\n  - __c__", "Untitled: A[a 4, b 3, c]"],
    ["italic titles, and both", "- *A* (choose any)\n  - _a_\n  - ***b***: 3", "Untitled: A*[a, b 3]"],
    [
      "emphasis of a part",
      "- **A** and B\n- *A* *B*\n- 2*3*4\n- **A",
      "Untitled: **A** and B[] *A* *B*[] 2*3*4[] **A[]",
    ],
    ["answers in capital letters", "- A (Choose One, MIN 1)\n  - [ ] a (All)", "Untitled: A?[a (All)]"],
    ["cells of a spreadsheet", "Shop\n  A\n    a\t4\n    b\t4\t8\t16", "Shop: A[a 4, b 4-8-16]"],
    ["descriptions", "- A\n  > What\n  > for\n  - a", 'Untitled: A "What\nfor"[a]'],
  ])("%s", (_, text, tree) => expect(short(text)).toBe(tree));
});

/** One document as `pandoc` 2.17.1.1 writes it in these formats. */
describe("what pandoc writes", () => {
  const list = (open: string, done: string, bold = "**") =>
    `-   ${bold}Card${bold}: 4\n-   Invoice: 6\n    -   Form\n        -   ${open} Fields: 2\n        -   ${done} Checks: 3\n\n1.  First\n2.  Second\n`;
  const tree = "Shop: Payment[Card 4, Invoice 6{Form*[Fields 2, x Checks 3]}, First, Second] Screens[Cart 3]";
  const end = `-   Cart: 3\n\n${"-".repeat(72)}\n`;
  test.each([
    ["gfm", `# Shop\n\n## Payment\n\n${list("[ ]", "[x]")}\n## Screens\n\n${end}`],
    ["commonmark", `# Shop\n\n## Payment\n\n${list("☐", "☒")}\n## Screens\n\n${end}`],
    ["plain", `Shop\n\nPayment\n\n${list("☐", "☒", "")}\nScreens\n\n${end}`],
    [
      "rst",
      `Shop\n====\n\nPayment\n-------\n\n-  **Card**: 4\n-  Invoice: 6\n\n   -  Form\n\n      -  ☐ Fields: 2\n      -  ☒ Checks: 3\n\n1. First\n2. Second\n\nScreens\n-------\n\n-  Cart: 3\n\n--------------\n`,
    ],
  ])("as %s", (_, text) => {
    expect(short(text)).toBe(tree);
    expect(said(text).skipped).toEqual([expect.stringMatching(/: a line between parts is left out$/)]);
  });

  test("as org", () => {
    const drawer = (id: string) => `   :PROPERTIES:\n   :CUSTOM_ID: ${id}\n   :END:\n`;
    const text = `* Shop\n${drawer("shop")}** Payment\n${drawer("payment")}- *Card*: 4\n- Invoice: 6\n  - Form\n    - [ ] Fields: 2\n    - [X] Checks: 3\n\n1. First\n2. Second\n\n** Screens\n${drawer("screens")}- Cart: 3\n\n--------------\n`;
    expect(short(text)).toBe(
      "Untitled: Shop[Payment{Payment[Card 4, Invoice 6{Form*[Fields 2, x Checks 3]}] First[] Second[]}, Screens{Screens[Cart 3]}]",
    );
    expect(said(text).skipped).toHaveLength(4);
  });
});

describe("what is left out", () => {
  test.each([
    [
      "front matter",
      "---\ntitle: Shop\ntags: [a]\n---\n- A",
      "Untitled: A[]",
      ["1: front matter, up to line 4, is left out"],
      1,
    ],
    [
      "properties",
      "- A\n  id:: 62f0\n  collapsed:: true\n  - a",
      "Untitled: A[a]",
      ["2: a property is left out", "3: a property is left out"],
      2,
    ],
    [
      "lines between parts",
      "- A\n\n---\n\n* * *\n===\n- B",
      "Untitled: A[] B[]",
      [3, 5, 6].map((at) => `${at}: a line between parts is left out`),
      2,
    ],
    [
      "comments",
      "<!-- a -->\n- A <!-- b -->\n<!--\n- no\n-->\n- B",
      "Untitled: A[] B[]",
      [1, 2, 3].map((at) => `${at}: a comment is left out`),
      2,
    ],
    [
      "marks around code",
      "```markdown\n# Shop\n- A\n```",
      "Shop: A[]",
      [1, 4].map((at) => `${at}: a mark around code is left out`),
      2,
    ],
  ])("are %s", (_, text, tree, skipped, lines) => {
    expect(short(text)).toBe(tree);
    expect(said(text)).toEqual({ lines, skipped, noted: [] });
  });

  test("are lines above the list of a part, unless they may be hours", () => {
    const chat = "Ada Lovelace\n  10:04 AM\nMy guess for the shop:\n• Login: 2d\n• Search: ~4h\n";
    const outcome = read(chat, { isPart: true });
    expect(shortOf(outcome)).toBe("Untitled: Untitled[Login 16, Search 4]");
    expect(outcome.ok && outcome.taken.skipped.map(asText)).toEqual(
      [1, 2, 3].map((at) => `${at}: is left out: it stands before the list`),
    );
    expect(outcome.ok && outcome.taken.lines).toBe(2);
    for (const line of ["Cart: 4", "Cart 4h", "Cart - 4"])
      expect(short(`# Shop\n${line}\n\n- A: 4`, { isPart: true })).toMatch(/^2: must begin with/);
    // A setting that is misspelled is refused where there can be one.
    expect(short("# Shop\nOwner: Ada\n\n- A: 4")).toMatch(/^2: must begin with/);
    expect(short("# Shop\nOwner: Ada\n\n- A: 4", { isPart: true })).toBe("Shop: Shop[A 4]");
  });

  test("is no comment without an end, which would take all that follows", () => {
    expect(short("- A\n<!-- a\n- B")).toMatch(/^2: has a comment without an end/);
  });
});

test("hours that are those of the parts are named", () => {
  const text = "- A\n  - a: 7\n    - B\n      - b: 3\n      - c: 2 x2\n  - d: 8\n    - C\n      - e: 7\n";
  expect(said(text).noted).toEqual(["2: 7 h again in its parts: keep, or leave them out?"]);
});

test("any end of line, a mark of the byte order, and empty lines change nothing", () => {
  for (const end of ["\n", "\r\n", "\r"])
    expect(short(`\uFEFF${["", "A", "  a: 4", "", "B", ""].join(end)}`)).toBe("Untitled: A[a 4] B[]");
});

test("hostile texts are read in time that grows with their length", () => {
  for (const text of [
    "<!---->".repeat(200_000),
    "<!-- ".repeat(200_000),
    `---\n${"a\n".repeat(200_000)}`,
    "- ".repeat(200_000),
    `${"1.".repeat(200_000)}\n`.repeat(2),
    `${" ".repeat(9_000)}:PROPERTIES\n`.repeat(100),
    "**a".repeat(3_000),
    `# ${"#".repeat(9_000)}a\n`.repeat(100),
    "a\n--\n".repeat(50_000),
    `${"-".repeat(9_000)}x\n`.repeat(100),
    `${"a\t".repeat(4_000)}\n`.repeat(100),
    `- ${"(".repeat(9_000)})\n`.repeat(100),
  ])
    expect(read(text)).toBeDefined();
});
