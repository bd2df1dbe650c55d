import { forms } from "../domain/transfer/hours/grammar.ts";
import { units } from "../domain/transfer/hours/units.ts";
import { generatedPage, table } from "./markdown.ts";

const code = (text: string): string => `\`${text}\``;

/** Returns the page about how hours are written. */
export const hoursPage = (): string =>
  generatedPage(
    "Hours",
    "`domain/transfer/hours`",
    "How hours are written in texts that are pasted, and in [outlines and spreadsheets](../import-export.md). Cells of the editor and rounds know numbers, ranges and the units h, d and w. In a title they stand behind a colon (`Card: 4-16-34`), or with their unit in brackets at its end (`Card (4h)`). The examples have a decimal point. In the web application the decimal sign is that of the page's language, in an imported outline it is `decimal`, and a cell of a spreadsheet may have either.",
    table(
      ["Written", "Optimistic, likely, pessimistic hours", ""],
      forms.map(({ example, hours, meaning }) => [code(example), hours?.join(", ") ?? "refused", meaning]),
    ),
    "## Units",
    table(
      ["Unit", "Is", "Written, in any case"],
      units.map(({ name, hours, words }) => [
        name,
        hours < 1 ? `${Math.round(hours * 60)} min` : `${hours} h`,
        words.map(code).join(", "),
      ]),
    ),
  );
