import { describe, expect, test } from "vitest";
import { importOutline } from "../import-outline.ts";
import { checkShape } from "../testing/check-shape.ts";
import { shortOf } from "../testing/short.ts";

const read = (text: string) => importOutline(text, checkShape, { decimal: ".", untitled: "Untitled" });
const short = (text: string) => shortOf(read(text));

const tree = "Untitled: Payment[Card 4-16-34, Invoice 8] Screens[Form 1.5]";

describe("a text that is a table", () => {
  test.each([
    [
      "has tabs",
      "Nr.\tAufgabe\tAufwand\n1\tPayment\t\n1.1\tCard\t4-16-34\n1.2\tInvoice\t8\n2\tScreens\n2.1\tForm\t1,5",
      tree,
    ],
    [
      "has semicolons",
      "WBS;Task;Hours\n1;Payment;\n1.1;Card;4-16-34\n1.2;Invoice;1d\n2;Screens;\n2.1;Form;1.5\n",
      tree,
    ],
    [
      "has commas, and cells in quotation marks",
      '"Level","Task","Hours"\n1,Payment,\n2,Card,"4-16-34"\n2,Invoice,8\n1,Screens,\n2,Form,"1,5"\n',
      tree,
    ],
    [
      "is indented",
      "Task\tBest\tLikely\tWorst\nPayment\n  Card\t4\t16\t34\n  Invoice\t8\t8\t8\nScreens\n  Form\t1.5\t1.5\t1.5\n",
      tree,
    ],
    [
      "is of Markdown",
      "| # | Task | Hours |\n|--:|:-----|-------|\n| 1 | **Payment** | |\n| 1.1 | Card | 4-16-34 |\n| 1.2 | Invoice | 8 |\n| 2 | Screens | |\n| 2.1 | Form | 1.5 |\n",
      tree,
    ],
    [
      "is of Markdown without signs at both ends",
      "Area | Task | Hours\n--- | --- | ---\nPayment | Card | 4-16-34\n | Invoice | 8\nScreens | Form | 1.5",
      tree,
    ],
    ["has a title above it", "# Shop\n\nTask;Hours\nA;4\nB;2", "Shop: Shop[A 4, B 2]"],
    [
      "of Markdown has a title above it",
      "# Shop\n\n| Task | Hours |\n|---|---|\n| a \\| b | 4 |\n",
      "Shop: Shop[a | b 4]",
    ],
    [
      "has lines in a cell",
      'Task;Notes;Hours\nA;"two\n""lines""";4\nB;;2',
      'Untitled: Untitled[A 4 "two\n"lines"", B 2]',
    ],
    ["says its separator", "sep=;\r\nTask;Hours\r\nA;4\r\n", "Untitled: Untitled[A 4]"],
    ["has a quotation mark without an end", 'Task;Hours\n"A;4\nB;2', 'Untitled: Untitled["A 4, B 2]'],
  ])("%s", (_, text, expected) => expect(short(text)).toBe(expected));

  test.each([
    ["a list", "- Task; Hours\n- A; B", "Untitled: Task; Hours[] A; B[]"],
    [
      "lines with commas",
      "Design, first\nTask, hours\nPlan\nBuild\nTest\nShip",
      "Untitled: Design, first[] Task, hours[] Plan[] Build[] Test[] Ship[]",
    ],
    ["a setting", "# Shop\nClient: x;Task;Hours\n- a;1\n- b;2", "Shop: a;1[] b;2[]"],
    ["one known name", "Task\n\tDesign\n\tBuild", "Task: Design[] Build[]"],
  ])("is not seen in %s", (_, text, expected) => expect(short(text)).toBe(expected));

  test("names the lines of what is wrong, left out, or taken once", () => {
    expect(short('Task;Notes;Hours\nA;"two\nlines";4\nB;;much')).toMatch(/^4: C4: “much” is not understood/);
    const outcome = read("No.;Task;Hours;Priority\n1;A;6\n1.1;B;2\n\n1.2;C;4\n;Total;6\n");
    expect(outcome).toMatchObject({
      ok: true,
      taken: {
        lines: 3,
        skipped: [
          { line: 1, message: "the column Priority is not read" },
          { line: 6, message: "is a total, and left out" },
        ],
        noted: [{ line: 2, message: "has the hours of the rows below it: they count there" }],
      },
    });
  });

  test.each([
    ["a list below it", "| Task | Hours |\n|---|---|\n| A | 4 |\n\n- B", 1],
    ["a heading within it", "# Shop\n## A\n| Task | Hours |\n|---|---|\n| B | 4 |", 3],
  ])("is refused where it does not stand alone: %s", (_, text, line) => {
    expect(read(text)).toMatchObject({ ok: false, faults: [{ line }, {}, {}] });
  });

  test("is read in time that grows with its length, whatever is in it", () => {
    for (const text of [
      `Task;Hours\n${'"a;'.repeat(100_000)}`,
      `Task;Hours\n${"a;1\n".repeat(50_000)}`,
      `Task,Hours\n${'""'.repeat(100_000)}`,
      `Task;Hours\n${";".repeat(200_000)}`,
      `${";".repeat(9_000)}\n`.repeat(50),
      `${"|-".repeat(4_000)}x\n`.repeat(50),
      `| Task | Hours |\n|---|---|\n${"|".repeat(200_000)}`,
    ])
      expect(read(text)).toBeDefined();
  });
});
