import { many } from "../../../ui/numbers/format.ts";

/** Texts of the dialog that adds a part to a tree. */
export const insertTexts = {
  title: "Insert a part",
  ways: { outline: "From an outline or file", template: "From a template" },
  waysLabel: "Where it comes from",
  below: (title: string) => `It is added below “${title}”.`,
  after: (title: string) => `It is added after “${title}”.`,
  atEnd: "It is added at the end.",
  outline: "Outline",
  outlineHint: "Questions and options as an indented list, or an exported JSON file",
  example: "- Payment (choose one)\n  - [x] Card: 4-16-34 @backend\n  - [ ] Invoice: 6",
  faults: (count: number) => `Fix ${many(count, "line", "lines")} to insert:`,
  search: "Search templates",
  template: "Template",
  noTemplates: "No templates.",
  preview: "What is added",
  size: (nodes: number, options: number) =>
    `${many(nodes, "question", "questions")}, ${many(options, "option", "options")}`,
  hours: (least: string, most: string) =>
    least === most ? `${least} expected hours` : `${least} to ${most} expected hours, by what is chosen`,
  nothing: "There is nothing to insert in it.",
  action: "Insert",
} as const;
