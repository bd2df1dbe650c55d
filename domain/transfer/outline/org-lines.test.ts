import { describe, expect, test } from "vitest";
import { importOutline } from "../import-outline.ts";
import { checkShape } from "../testing/check-shape.ts";
import { shortOf } from "../testing/short.ts";

const read = (text: string) => importOutline(text, checkShape, { decimal: ".", untitled: "Untitled" });
const short = (text: string) => shortOf(read(text));
const said = (text: string, list: "skipped" | "noted") => {
  const outcome = read(text);
  return outcome.ok ? outcome.taken[list].map(({ line, message }) => `${line}: ${message}`) : shortOf(outcome);
};

const drawer = (...lines: string[]) => [":PROPERTIES:", ...lines, ":END:"].join("\n");

describe("an outline of Org", () => {
  test.each([
    ["headings of stars", "* A\n** a\n*** TODO B\n**** b: 4\n* C", "Untitled: A[a{B[b 4]}] C[]"],
    ["its title", "#+TITLE: Shop\n#+AUTHOR: Ada\n\n* A\n** a", "Shop: A[a]"],
    ["hours of a clock", `* A\n** a\n${drawer(":Effort: 2:30")}`, "Untitled: A[a 2.5]"],
    ["hours of several units", `* A\n** a\n${drawer(":EFFORT:   1d 12h")}`, "Untitled: A[a 20]"],
    [
      "hours of one unit",
      `* A\n** a\n${drawer(":Effort: 2d")}\n** b\n${drawer(":Effort: 90min")}`,
      "Untitled: A[a 16, b 1.5]",
    ],
    ["boxes", "* A\n** b [1/3]\n   - [ ] x\n   - [X] y\n   - [-] z", "Untitled: A[b{b*[x, x y, z]}]"],
    ["terms with descriptions", "* A\n** B\n- a :: for b\n- c", 'Untitled: A[B{a "for b"[] c[]}]'],
    ["numbers and indented stars", "* A\n** b\n  1. C\n     * c\n  2. D", "Untitled: A[b{C[c] D[]}]"],
    ["emphasis", "* *A*\n** /a/", "Untitled: A[/a/]"],
    [
      "a drawer below the dates of a heading",
      `* A\n** TODO a\nSCHEDULED: <2026-01-02 Fri>\n${drawer(":Effort: 4:00")}`,
      "Untitled: A[a 4]",
    ],
    ["text below a heading", "* A\nWhat for.\n** a", 'Untitled: A "What for."[a]'],
  ])("has %s", (_, text, tree) => expect(short(text)).toBe(tree));

  test("says what it leaves out", () => {
    const text = [
      "#+STARTUP: overview",
      "# draft",
      "* DONE [#A] A :web:shop:",
      "CLOSED: [2026-01-02 Fri]",
      drawer(":Effort: 4:00", ":ID: 62f0", ":Owner: Ada"),
      "-----",
    ].join("\n");
    expect(short(text)).toBe("Untitled: Untitled[A 4]");
    expect(said(text, "skipped")).toEqual([
      "1: a setting of Org is left out",
      "2: a comment is left out",
      "3: DONE [#A] :web:shop:: left out",
      "4: a date of Org is left out",
      "5: ID, Owner: left out",
      "10: a line between parts is left out",
    ]);
  });

  test.each([
    ["text below an item", "* A\n** a\n- b\nmore", /^4: /],
    ["a drawer without an end", "* A\n:PROPERTIES:\n:Effort: 4:00\n** a", /^2: has a drawer without an end/],
    ["the row of a table", "* A\n** b\n| a | b |", /^3: belongs to a table/],
    ["hours that are not understood", `* A\n** a\n${drawer(":Effort: much 2")}`, /^2: has an effort/],
  ])("is refused with the line of %s", (_, text, fault) => expect(short(text)).toMatch(fault));
});
