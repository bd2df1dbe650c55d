/** The module of worker threads: pure functions of `domain/` over plain data that take long. */
import { createHash } from "node:crypto";
import { milestonesOf, type SchedulingText } from "../../domain/timeline/scheduling.ts";

export { scheduleOf } from "../../domain/timeline/scheduling.ts";
export { exportFile } from "../../domain/transfer/export-file.ts";
export { compareContents, diffContents, mergeContents } from "../../domain/versions/contents.ts";

/** Returns what is shown of each milestone, with its forecast. */
export const forecastMilestones = (text: SchedulingText) => milestonesOf(text, seedOf);

function seedOf(input: string): readonly number[] {
  const hash = createHash("sha256").update(input).digest();
  return [0, 4, 8, 12].map((at) => hash.readInt32LE(at));
}
