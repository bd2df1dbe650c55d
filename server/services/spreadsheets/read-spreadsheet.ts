import { readTable, type SheetReading } from "../../../domain/transfer/sheet-import/import-sheet.ts";
import { readCsv } from "./csv.ts";
import { Unreadable } from "./unzip.ts";
import { openWorkbook } from "./workbook.ts";

export type SheetFormat = "xlsx" | "csv";

/** What was read of a file, or why it cannot be. */
export type SheetOutcome =
  | { readonly ok: true; readonly reading: SheetReading; readonly otherSheets: readonly string[] }
  | { readonly ok: false; readonly fault: Pick<Unreadable, "code" | "message" | "expected"> };

interface SheetFile {
  readonly format: SheetFormat;
  /** The text of a CSV file; a workbook in Base64. */
  readonly content: string;
}

const NO_HEAD =
  "has no row that names its columns: one has to be called Title, Task, Aufgabe or the like, others Hours, Aufwand, Optimistic, Level, No. and so on";

/** Reads the first sheet with a row that names columns. */
export async function readSpreadsheet({ format, content }: SheetFile): Promise<SheetOutcome> {
  try {
    if (format === "csv") {
      const reading = readTable(readCsv(content));
      if (reading) return { ok: true, reading, otherSheets: [] };
    } else {
      const sheets = await openWorkbook(Buffer.from(content, "base64"));
      for (const sheet of sheets) {
        const reading = readTable(await sheet.read());
        const others = sheets.filter((each) => each !== sheet).map(({ name }) => name);
        if (reading) return { ok: true, reading, otherSheets: others };
      }
    }
    throw new Unreadable(NO_HEAD);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { code, message, expected } = error;
    return { ok: false, fault: { code, message, expected } };
  }
}
