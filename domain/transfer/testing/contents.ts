import fc from "fast-check";
import { VISIBLE } from "../../../contract/shapes.ts";
import { type Node, type Option, walk } from "../../tree/shape.ts";
import { codePoint } from "../../tree/testing/code-points.ts";
import { trees } from "../../tree/testing/trees.ts";
import type { Content } from "../content.ts";

/** What the name of anything needs. */
const visible = new RegExp(VISIBLE, "u");

/** Text that is difficult in a file: syntax characters, and any character that can be stored. */
const trouble = fc.oneof(
  fc.constantFrom(
    "=1+1",
    "+1",
    "-4",
    "@ux",
    "a: 4",
    "Phase: 4-16-34 @ux",
    "[x] Card",
    "(choose one)",
    "Card (all)",
    "\\",
    "a\\: 4",
  ),
  fc.constantFrom(
    ' "quoted", really ',
    "two\nlines",
    "tab\tend\t",
    "# title",
    "> text",
    "- item",
    "x9",
    "\r\n",
    "Tags: a",
  ),
  // What other programs write before a text, below it and around it.
  fc.constantFrom(
    ...["1. first", "1.1 part", "a) part", "• item", "– item", "☐ open", "☑ done", "✓", "**bold**", "__A__: 3"],
    ...[
      "---",
      "===",
      "* * *",
      "```",
      "| Task | Hours |",
      "Task\tHours",
      "Task;Hours\nA;4",
      "<!-- open",
      "a <!-- b -->",
    ],
    ...["---\na: b\n---", "key:: value", "* A\n** B", "a\u2028** b", "#+TITLE: a", ":PROPERTIES:", "SCHEDULED: <a>"],
    ...["A (Choose one)", "a (ALL)", "a ##", "## Assumptions", "\u00A0a\u00A0", "A\t4", "std:: a"],
  ),
  fc.string({ unit: codePoint, maxLength: 30 }).filter((text) => text.isWellFormed() && !text.includes("\0")),
);
const title = trouble.filter((text) => visible.test(text));
const someOf = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 1 });

/** Estimations with arbitrary text in every place that accepts text. */
export const contents: fc.Arbitrary<Content> = fc
  .record({
    title,
    description: fc.oneof(fc.constant(""), trouble),
    assumptions: fc.oneof(fc.constant(""), trouble),
    clientName: someOf(trouble),
    tags: fc.uniqueArray(title, { maxLength: 3 }),
    hourlyRate: someOf(fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100)),
    currency: fc.constantFrom(null, "EUR"),
    correlation: fc.constantFrom(0, 0.2, 1),
    rounding: fc.constantFrom(0.01 as const, 0.5 as const),
    tree: trees,
    texts: fc.array(trouble, { minLength: 1, maxLength: 12 }),
  })
  .map(({ texts, tree, ...fields }) => {
    const told = structuredClone(tree);
    let next = 0;
    const text = (): string => texts[next++ % texts.length] ?? "";
    const name = (thing: Node | Option): void => {
      const candidate = text();
      if (visible.test(candidate)) thing.title = candidate;
      thing.description = text();
    };
    walk(told.nodes, {
      node: name,
      option: (option) => {
        name(option);
        if (next % 3 === 0) option.unit = text();
        if (next % 5 === 0) option.role = text();
      },
    });
    return { ...fields, tree: told };
  });
