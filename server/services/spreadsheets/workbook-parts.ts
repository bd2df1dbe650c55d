import { boundedText, Unreadable } from "./unzip.ts";
import { readXml } from "./xml.ts";

/** How cells of one format look, as far as it matters. */
export interface CellStyle {
  readonly indent: number;
  readonly shows: "date" | "time" | undefined;
}

/** Reads the texts that cells refer to by their place; without the pronunciation of Japanese ones. */
export function readStrings(xml: string | null): readonly string[] {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  let spoken = 0;
  if (xml !== null)
    readXml(xml, {
      open(name) {
        if (name === "si") text = "";
        else if (name === "rPh") spoken += 1;
        else if (name === "t") isText = spoken === 0;
      },
      close(name) {
        if (name === "si") strings.push(decoded(text));
        else if (name === "rPh") spoken -= 1;
        else if (name === "t") isText = false;
      },
      text(value) {
        if (isText) text = boundedText(text + value);
      },
    });
  return strings;
}

/** Spreadsheets write characters that XML does not have as their codes. */
export const decoded = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Formats of numbers that every spreadsheet program has. */
const DATES = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]);
const TIMES = new Set([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47]);

/** Styles that Excel allows in a workbook, and characters of a format. */
const STYLES = 65_490;
const FORMAT_LENGTH = 255;

export function readStyles(xml: string | null): readonly CellStyle[] {
  const formats = new Map<number, CellStyle["shows"]>();
  const styles: { indent: number; shows: CellStyle["shows"] }[] = [];
  let isOfCells = false;
  if (xml !== null)
    readXml(xml, {
      open(name, attributes) {
        if (name === "numFmt") formats.set(Number(attributes().numFmtId), shownByCode(attributes().formatCode ?? ""));
        else if (name === "cellXfs") isOfCells = true;
        else if (!isOfCells) return;
        else if (name === "xf") {
          if (styles.length >= STYLES)
            throw new Unreadable(`must not have more than ${STYLES} styles`, "too_many", STYLES);
          const id = Number(attributes().numFmtId);
          styles.push({ indent: 0, shows: DATES.has(id) ? "date" : TIMES.has(id) ? "time" : formats.get(id) });
        } else if (name === "alignment") {
          const last = styles.at(-1);
          if (last) last.indent = Math.min(Math.max(Number(attributes().indent ?? 0) || 0, 0), 250);
        }
      },
      close(name) {
        if (name === "cellXfs") isOfCells = false;
      },
    });
  return styles;
}

function shownByCode(given: string): CellStyle["shows"] {
  // Texts, single characters, colours and currencies belong to no date; [h] counts hours.
  const code = given.slice(0, FORMAT_LENGTH).replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  if (/general/i.test(code)) return undefined;
  if (/[dy]/i.test(code)) return "date";
  if (/[hs]/i.test(code)) return "time";
  return /m/i.test(code) ? "date" : undefined;
}
