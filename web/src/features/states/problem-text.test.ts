import { expect, test } from "vitest";
import { submissionProblems } from "../../../../domain/tree/check/problems.ts";
import type { NodeInput, OptionInput } from "../../../../domain/tree/shape.ts";
import { plant } from "../../../../domain/tree/testing/trees.ts";
import { problemText } from "./problem-text.ts";

const textsOf = (nodes: NodeInput[]) => {
  const tree = plant(nodes);
  return submissionProblems(tree).map((problem) => problemText(tree, problem));
};
const options = (count: number, selected: number): OptionInput[] =>
  Array.from({ length: count }, (_, index) => ({ title: `Option ${index}`, selected: index < selected }));
const fixed: NodeInput = { title: "Scope", kind: "group", options: options(1, 0) };

test("questions that lack a choice are named, with the fields of the editor", () => {
  const multi = (count: number, selected: number) =>
    textsOf([fixed, { title: "Browsers", kind: "multi", min: 2, max: 3, options: options(count, selected) }]);
  expect(textsOf([fixed, { title: "Payment", kind: "single", required: true, options: options(2, 0) }])).toEqual([
    "Choose an option for “Payment”",
  ]);
  expect(textsOf([{ title: "Scope", kind: "group", required: true, options: [] }])).toEqual([
    "Add an option to “Scope”",
    "Choose at least one option",
  ]);
  expect(multi(5, 0)).toEqual(["Choose 2 options for “Browsers”"]);
  expect(multi(5, 1)).toEqual(["Choose 1 more option for “Browsers”"]);
  expect(multi(5, 3)).toEqual([]);
  expect(multi(5, 5)).toEqual(["Deselect 2 options of “Browsers”, or raise “Choose at most”"]);
  expect(multi(1, 1)).toEqual([
    "Add an option to “Browsers”, or lower “Choose at least”",
    "Lower “Choose at most” of “Browsers” to 1, or add 2 options",
  ]);
});

test("options that require others or conflict with them are named", () => {
  const linked = (links: Partial<OptionInput>, isOtherChosen: boolean, kind: NodeInput["kind"] = "multi") =>
    textsOf([
      { title: "Payment", kind: "multi", options: [{ title: "Card", selected: true, ref: "card", ...links }] },
      { title: "Checks", kind, options: [{ title: "3-D Secure", selected: isOtherChosen, ref: "secure" }] },
    ]);
  expect(linked({ requires: ["secure"] }, false)).toEqual([
    "“Card” requires “3-D Secure” of “Checks”: choose that too, or deselect “Card”",
  ]);
  expect(linked({ excludes: ["secure"] }, true)).toEqual([
    "“Card” conflicts with “3-D Secure”: deselect “Card” or “3-D Secure”, or remove the conflict",
  ]);
  expect(linked({ excludes: ["secure"] }, false, "group")).toEqual([
    "“Card” conflicts with “3-D Secure”: deselect “Card”, or remove the conflict",
  ]);
});
