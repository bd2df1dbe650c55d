import { expect, test } from "vitest";
import { importOutline } from "./import-outline.ts";
import { numbersOf, readLine } from "./read-line.ts";
import { checkShape } from "./testing/check-shape.ts";
import lines from "./testing/lines.json" with { type: "json" };

/** What a line makes as an option of a question, or as a question of its own where it says how it is answered. */
function importOf(line: string): unknown {
  const isQuestion = /\(choose/i.test(line);
  const outcome = importOutline(`# Shop\n${isQuestion ? line : `- Payment\n  ${line}`}`, checkShape, {
    decimal: ".",
    untitled: "Untitled",
  });
  if (!outcome.ok) return "refused";
  const [node] = outcome.incoming.nodes;
  if (isQuestion) return { title: node?.title, question: node?.kind === "single" ? "choose one" : node?.kind };
  const [option] = node?.options ?? [];
  return { title: option?.title, hours: option?.hours ? Object.values(option.hours) : null };
}

test.each(lines)("$line", ({ line, right }) => {
  const expected = typeof right === "string" ? right : { ...right, noted: undefined };
  expect(importOf(line)).toEqual(expected);
  if (typeof right === "object") expect(readLine(line.slice(2), numbersOf(".")).note !== null).toBe("noted" in right);
});
