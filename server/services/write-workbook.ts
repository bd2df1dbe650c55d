import writeExcelFile, { type Cell as FileCell, type Row } from "write-excel-file/node";
import type { Cell, Look, Sheet } from "../../domain/transfer/sheets/cells.ts";

/** Returns sheets as a file of Excel (.xlsx). */
export async function writeWorkbook(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const files = sheets.map(({ name, rows, widths, frozen }) => ({
    sheet: name,
    data: rows.map((row): Row => row.map(cellOf)),
    columns: widths.map((width) => ({ width })),
    stickyRowsCount: frozen.rows,
    ...(frozen.columns > 0 ? { stickyColumnsCount: frozen.columns } : {}),
  }));
  return await writeExcelFile(files, { features: [withResults(sheets)] }).toBuffer();
}

function cellOf(cell: Cell): FileCell {
  if (cell === null) return null;
  const { value, formula, ...look } = cell;
  if (formula !== undefined) return { type: "Formula", value: formula, ...looksOf(look) };
  // The library keeps texts as keys of an object, and would find these in every object.
  if (typeof value === "string" && value in {}) return { type: "Formula", value: `"${value}"`, ...looksOf(look) };
  return typeof value === "string"
    ? { type: String, value, ...looksOf(look) }
    : { type: Number, value, ...looksOf(look) };
}

function looksOf({ bold, head, title, indent, format }: Look) {
  return {
    ...(bold || head || title ? { fontWeight: "bold" as const } : {}),
    ...(head ? { backgroundColor: "#E7EAEE", bottomBorderStyle: "thin" as const, bottomBorderColor: "#98A2B3" } : {}),
    ...(title ? { fontSize: 14 } : {}),
    ...(indent ? { indent } : {}),
    ...(format === undefined ? {} : { format }),
  };
}

/**
 * The library writes formulas without what they result in. Programs that compute nothing, such as previews and Excel's
 * protected view, would show nothing for them.
 */
function withResults(sheets: readonly Sheet[]) {
  const transform = (xml: string, _: unknown, { sheetIndex }: { readonly sheetIndex: number }): string =>
    xml.replace(
      /<c r="([A-Z])(\d+)"([^>]*)>(<f>[^<]*<\/f>)<\/c>/g,
      (whole, letter: string, row: string, rest: string, f: string) => {
        const value = sheets[sheetIndex]?.rows[Number(row) - 1]?.[letter.charCodeAt(0) - "A".charCodeAt(0)]?.value;
        if (value === undefined) return whole;
        const type = typeof value === "string" ? ' t="str"' : "";
        return `<c r="${letter}${row}"${rest}${type}>${f}<v>${value}</v></c>`;
      },
    );
  return { files: { transform: { "xl/worksheets/sheet{id}.xml": { transform } } } };
}
