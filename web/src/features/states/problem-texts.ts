import { formatCount, many } from "../../ui/numbers/format.ts";

/** Texts of what has to be fixed before an estimation is submitted. */
export const problemTexts = {
  incomplete: (count: number) => `Fix ${many(count, "problem", "problems")} before you submit:`,
  moreProblems: (count: number) => `and ${formatCount(count)} more`,
  remedied: "Ready to submit",
} as const;
