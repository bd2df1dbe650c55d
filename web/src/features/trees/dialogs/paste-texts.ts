import { formatCount, many } from "../../../ui/numbers/format.ts";

/** Texts of the dialog with what was pasted into a tree. */
export const pasteTexts = {
  name: (count: number) => `Paste ${many(count, "line", "lines")}`,
  preview: "What is added",
  option: "Option",
  add: (count: number) => `Add ${many(count, "line", "lines")}`,
  more: (count: number) => `and ${many(count, "more line", "more lines")}`,
  title: "No title",
  hours: "Hours can’t be read",
  order: "Low, Likely and High aren’t in order",
  long: "The text is too long",
  faults: (count: number) => `Nothing is added before ${many(count, "line", "lines")} can be read:`,
  counting: "What counts",
  countings: { all: "All of them", one: "One of them" },
  into: (question: string) => `They become options of “${question}”`,
  counted: (count: number, all: number) =>
    count === all ? "all of them count" : `${formatCount(count)} of ${formatCount(all)} counts, as it is answered`,
  added: (lines: number, levels: number, hours: string) =>
    `${many(lines, "line", "lines")} added, ${many(levels, "level", "levels")}, ${hours}`,
  unread: (count: number) =>
    count === 1
      ? "; 1 line looks like hours and has none"
      : `; ${formatCount(count)} lines look like hours and have none`,
} as const;
