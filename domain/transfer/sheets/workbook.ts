import { figuresOf } from "../../tree/hours/distribution.ts";
import { totalOf } from "../../tree/hours/roll-up.ts";
import type { Content } from "../content.ts";
import { type About, assumptionsSheet } from "./assumptions-sheet.ts";
import type { Sheet } from "./cells.ts";
import { estimateSheet } from "./estimate-sheet.ts";
import { tasksSheet } from "./tasks-sheet.ts";

/** Returns the sheets of an estimation: its tree with the totals as formulas, its tasks, and what the numbers rest on. */
export function workbookOf(content: Content, about: About): Sheet[] {
  const figures = figuresOf(totalOf(content.tree), content.correlation);
  const estimate = estimateSheet(content, figures);
  return [estimate.sheet, tasksSheet(content, estimate), assumptionsSheet(content, about, figures, estimate.last)];
}
