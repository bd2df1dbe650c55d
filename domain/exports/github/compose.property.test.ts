import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { runs } from "../../../tests/support/runs.ts";
import { codePoint } from "../../tree/testing/code-points.ts";
import type { TaskToExport } from "../shape.ts";
import { BODY_LENGTH, composeIssue, labelOf, TITLE_LENGTH } from "./compose.ts";
import { markerComment, markersIn } from "./marker.ts";
import { quiet } from "./quiet.ts";
import { spansOf } from "./spans.ts";

const estimation = {
  id: "est_01k0000000abcdefghjkmnpqrs",
  title: "Shop",
  url: "https://estimates.example/estimations/1",
};
const marker = "exi_01k0000000abcdefghjkmnpqrs";
const other = "exi_01k0000000zzzzzzzzzzzzzzzz";

/** Texts of the pieces that mean something to GitHub, and of anything else. */
const pieces = [
  ..."@#<>!-&;:/.*_~`[]()\\ \n\r\t\"'x1",
  ...[
    "@name",
    "@org/team",
    "me@example.com",
    "#12",
    "owner/repo#12",
    "GH-12",
    "gh-",
    "<!--",
    "-->",
    "&#64;",
    "&commat;",
  ],
  ...[
    "&#x3c;",
    "&#8211;",
    "&lt;!--",
    "https://example.com/@name#12",
    "http://",
    "closes ",
    "```\n",
    "<details>",
    "😀",
    "é",
  ],
  ...[markerComment(other), `<!--exported-task ${other}-->`],
];
const piecewise = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(""));
const text = fc.oneof(piecewise, fc.string({ unit: "grapheme", maxLength: 200 }));
const title = fc.oneof(text, fc.string({ unit: codePoint, minLength: 250, maxLength: limits.taskTitleLength }));
const description = fc.oneof(
  text,
  fc.tuple(text, fc.integer({ min: 1_000, max: 9_000 })).map(([part, times]) => part.repeat(times).slice(0, 200_000)),
);
const task: fc.Arbitrary<TaskToExport> = fc.record({
  title,
  description,
  hours: fc.option(fc.constantFrom(0, 0.25, 12.5, 1_000)),
  role: fc.option(text.map((role) => role.slice(0, limits.roleLength))),
  marker: fc.constant(marker),
  milestone: fc.option(title),
  depth: fc.constant(0),
  parentLink: fc.option(fc.constant({ key: "#7", url: "https://github.com/owner/repo/issues/7" })),
});

/** Reads a text as GitHub shows it: characters written by number or name, and escapes. */
const shown = (written: string): string =>
  written
    .replace(/&#(\d{1,7});|&#x([\da-f]{1,6});/gi, (_, decimal, hex) =>
      String.fromCodePoint(Math.min(0x10ffff, decimal ? Number(decimal) : Number.parseInt(hex, 16))),
    )
    .replace(/&commat;/gi, "@")
    .replace(/&num;/gi, "#")
    .replace(/&lt;/gi, "<")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "");
/** Addresses as GitHub links them: no part of one is a mention. */
const unlinked = (written: string): string => written.replace(/(?<![A-Za-z])https?:\/\/[\p{L}\p{N}][^\s<]*/giu, "");

/** A text without its code, in which GitHub looks for nothing. */
const uncoded = (written: string): string =>
  spansOf(written)
    .filter(({ kind }) => kind === "code")
    .reduceRight((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, written);

describe("an issue of a task", () => {
  it("fits into the limits, and has its marker and no other", () => {
    fc.assert(
      fc.property(task, (input) => {
        const { fields, warnings } = composeIssue(input, estimation);
        const body = String(fields.body);
        expect(String(fields.title).length).toBeLessThanOrEqual(TITLE_LENGTH);
        expect(body.length).toBeLessThanOrEqual(BODY_LENGTH);
        expect(markersIn(body)).toEqual([marker]);
        // GitHub's editor rewrites the ends of lines, and people write around it.
        expect(markersIn(`> note\r\n${body.replaceAll("\n", "\r\n")} \r\nmore`)).toEqual([marker]);
        expect(String(fields.title).isWellFormed() || !input.title.isWellFormed()).toBe(true);
        expect(new Set(warnings.map(({ code }) => code)).size).toBe(warnings.length);
      }),
      { numRuns: 300 },
    );
  });

  it("has a warning for what is cut, and the whole title in its text", () => {
    fc.assert(
      fc.property(task, (input) => {
        const { fields, warnings } = composeIssue(input, estimation);
        const codes = warnings.map(({ code }) => code);
        expect(codes.includes("title_cut")).toBe(String(fields.body).includes("**Title:** "));
        if (!codes.includes("title_cut")) expect(fields.title).toBe(input.title.replace(/[\s\p{Cc}]+/gu, " ").trim());
        if (codes.includes("description_cut")) expect(input.description.length).toBeGreaterThan(BODY_LENGTH / 3);
        else expect(String(fields.body)).toContain(quiet(input.description.replaceAll("\r\n", "\n").trim()));
      }),
      { numRuns: 200 },
    );
  });

  it("mentions nobody, refers to no issue, and begins no comment", () => {
    fc.assert(
      fc.property(text, (input) => {
        const seen = shown(unlinked(uncoded(quiet(input))));
        expect(seen).not.toMatch(/(?<![a-z0-9])@[a-z0-9]/i);
        expect(seen).not.toMatch(/#\d/);
        expect(seen).not.toMatch(/\bGH-\d/i);
        expect(uncoded(quiet(input))).not.toContain("<!--");
        expect(quiet(input).replaceAll("\u200b", "")).toBe(input.replaceAll("\u200b", ""));
        expect(quiet(quiet(input))).toBe(quiet(input));
      }),
      { numRuns: runs(3_000) },
    );
  });
});

it("an issue has the content of the task, in this form", () => {
  const { fields, warnings } = composeIssue(
    {
      title: "Sign-in: Google",
      description: "Ask @anna, see #12.\n\n- [ ] https://example.com/@anna#12",
      hours: 12.5,
      role: "back_end",
      marker,
      milestone: "Beta",
      depth: 0,
      parentLink: { key: "#7", url: "https://github.com/owner/repo/issues/7" },
    },
    { ...estimation, title: "Shop [new]" },
  );
  expect(warnings).toEqual([]);
  expect(fields).toEqual({
    title: "Sign-in: Google",
    milestone: "beta",
    body: [
      "**Estimate:** 12.5 h",
      "**Role:** back\\_end",
      "**Part of:** [#7](https://github.com/owner/repo/issues/7)",
      "**Estimation:** [Shop \\[new\\]](https://estimates.example/estimations/1)",
      "",
      "<!-- exported-task exi_01k0000000abcdefghjkmnpqrs -->",
      "",
      "---",
      "",
      "Ask @\u200banna, see #\u200b12.",
      "",
      "- [ ] https://example.com/@anna#12",
    ].join("\n"),
  });
  expect(labelOf(estimation)).toMatchObject({ name: "estimation-efghjkmnpqrs", description: "Shop" });
});

it("a title of 256 characters stays whole, and one of 257 is cut", () => {
  const titled = (length: number) =>
    composeIssue(
      {
        title: "x".repeat(length),
        description: "",
        hours: null,
        role: null,
        marker,
        milestone: null,
        depth: 0,
        parentLink: null,
      },
      estimation,
    );
  expect(titled(256)).toMatchObject({ fields: { title: "x".repeat(256), milestone: null }, warnings: [] });
  const longer = titled(257);
  expect(longer.fields.title).toBe(`${"x".repeat(255)}…`);
  expect(longer.fields.body).toContain(`**Title:** ${"x".repeat(257)}\n`);
  expect(longer.warnings.map(({ code }) => code)).toEqual(["title_cut"]);
});

it("a text of 65,536 characters stays whole, and one of 65,537 is cut", () => {
  const described = (description: string) =>
    composeIssue(
      { title: "Sign-in", description, hours: null, role: null, marker, milestone: null, depth: 0, parentLink: null },
      estimation,
    );
  const room = BODY_LENGTH - (String(described("x").fields.body).length - 1);
  const whole = described("x".repeat(room));
  expect([String(whole.fields.body).length, whole.warnings]).toEqual([BODY_LENGTH, []]);
  const longer = described("x".repeat(room + 1));
  expect(longer.warnings.map(({ code }) => code)).toEqual(["description_cut"]);
  expect(String(longer.fields.body)).toMatch(/x\n\n… \(the estimation has the rest\)$/);
});
