/** The module of worker threads: pure functions of `domain/` over plain data that take long. */
import { createHash } from "node:crypto";
import { type ProposalInput, propose } from "../../domain/timeline/proposal/propose.ts";
import { milestonesOf, type SchedulingText } from "../../domain/timeline/scheduling.ts";

export { scheduleOf } from "../../domain/timeline/scheduling.ts";

import type { Content } from "../../domain/transfer/content.ts";
import type { About } from "../../domain/transfer/sheets/assumptions-sheet.ts";
import { workbookOf } from "../../domain/transfer/sheets/workbook.ts";
import { writeWorkbook } from "./write-workbook.ts";

export { exportFile } from "../../domain/transfer/export-file.ts";
export { compareContents, diffContents, mergeContents } from "../../domain/versions/contents.ts";
export { readSpreadsheet } from "./spreadsheets/read-spreadsheet.ts";

/** Writes an estimation, given as JSON, as a workbook (.xlsx). */
export const exportWorkbook = ({ content, about }: { readonly content: string; readonly about: About }) =>
  writeWorkbook(workbookOf(JSON.parse(content) as Content, about));

/** Returns what is shown of each milestone, with its forecast. */
export const forecastMilestones = (text: SchedulingText) => milestonesOf(text, seedOf);

/** Returns what it would take to reach a milestone. */
export const proposeForMilestone = (input: ProposalInput) => propose(input, seedOf);

function seedOf(input: string): readonly number[] {
  const hash = createHash("sha256").update(input).digest();
  return [0, 4, 8, 12].map((at) => hash.readInt32LE(at));
}
