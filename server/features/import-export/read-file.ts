import { EstimationFile } from "../../../contract/endpoints/import-export.ts";
import { limits } from "../../../contract/limits.ts";
import type { CsvForm } from "../../../contract/values/csv-form.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { rateFaults } from "../../../domain/rate-faults.ts";
import type { CheckedIncoming, Import, LineFault, PathFault, Taken } from "../../../domain/transfer/content.ts";
import { eachLine } from "../../../domain/transfer/each-line.ts";
import { type CheckShape, importJson } from "../../../domain/transfer/import-json.ts";
import { importOutline } from "../../../domain/transfer/import-outline.ts";
import { importSheet, type SheetReading, UNTITLED } from "../../../domain/transfer/sheet-import/import-sheet.ts";
import { findUnstorable } from "../../http/body/parse-json.ts";
import { readStructure } from "../../http/body/structure.ts";
import { Failure, failWith } from "../../http/failure.ts";
import { validation } from "../../http/validation/validation.ts";
import { inTurn, inTurns, LARGE_BYTES } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";

/** Lines of an outline: its bytes are bounded, but even an empty line takes memory. */
export const LINES = 1_000_000;

/** A file as it is sent. */
interface SentFile<Format extends string> {
  readonly format: Format;
  readonly content: string;
  /** Instead of the title in the file. */
  readonly title?: string;
  /** Of an outline. */
  readonly decimal?: CsvForm["decimal"];
}

/** What a file makes, and what became of its lines. */
interface ReadFile {
  readonly incoming: CheckedIncoming;
  readonly taken: Taken;
}

type SheetFormat = "xlsx" | "csv";

/** A spreadsheet that was read, and what importing it results in. */
export interface SheetFile {
  readonly reading: SheetReading;
  readonly otherSheets: readonly string[];
  readonly outcome: Import;
}

interface FileReader {
  /**
   * Returns what a file makes. Refuses (400) one that breaks the structure of JSON bodies, or a rule of estimations and trees,
   * with the line or row of each fault.
   */
  read(file: SentFile<"json" | "outline" | SheetFormat>): Promise<ReadFile>;
  /** Returns what is understood of a spreadsheet. Refuses (400) one of which nothing is. */
  readSheet(file: SentFile<SheetFormat>): Promise<SheetFile>;
}

export function createFileReader({ compute }: Pick<Services, "compute">): FileReader {
  const validate = validation.body(EstimationFile);
  const checkShape: CheckShape = (file) => {
    const unstorable = findUnstorable(file);
    if (unstorable.length > 0) return unstorable;
    const wrong = faultsOf(() => validate(file));
    return wrong.length > 0 ? wrong : ratesIn(file as FileShape);
  };
  const readText = async (
    format: "json" | "outline",
    { content, title, decimal = "." }: SentFile<string>,
  ): Promise<Import> => {
    await inTurn(content.length, () => checkSize(format, content));
    return format === "json"
      ? await inTurns(content.length, importJson(content, checkShape))
      : await inTurn(content.length, () =>
          importOutline(content, checkShape, { decimal, untitled: title ?? UNTITLED }),
        );
  };
  const readSheet: FileReader["readSheet"] = async ({ format, content, title }) => {
    await inTurn(content.length, () => checkSheetFile(format, content));
    // A small workbook may be large when it is unpacked: it is always read in a worker thread.
    const bytes = format === "xlsx" ? LARGE_BYTES : content.length;
    const read = await compute.run("readSpreadsheet", { format, content }, bytes);
    if (!read.ok) return failWith([{ ...read.fault, path: "/content", in: "body" }]);
    const { reading, otherSheets } = read;
    const outline = reading.outline.lines.reduce((sum, line) => sum + line.length, 0);
    const outcome = await inTurn(outline, () => importSheet(reading, title, checkShape));
    return { reading, otherSheets, outcome };
  };
  return {
    readSheet,
    async read(file) {
      const { format, title } = file;
      const isSheet = format === "xlsx" || format === "csv";
      const outcome = isSheet ? (await readSheet({ ...file, format })).outcome : await readText(format, file);
      if (!outcome.ok) return failWith(outcome.faults.toSorted((a, b) => a.line - b.line).map(faultOf));
      const { incoming, taken } = outcome;
      if (title === undefined) return { incoming, taken };
      return { incoming: { ...incoming, estimation: { ...incoming.estimation, title } }, taken };
    },
  };
}

const faultOf = ({ code = "wrong_format", line, message }: LineFault): Fault & { readonly line: number } => ({
  path: "/content",
  in: "body",
  code,
  message,
  line,
});

interface FileShape {
  readonly estimation: Parameters<typeof rateFaults>[0];
}

const ratesIn = ({ estimation }: FileShape): PathFault[] =>
  rateFaults(estimation).map(({ path, ...fault }) => ({ ...fault, path: `/estimation${path}` }));

/** Bounds the work before any is done: as for the body of a tree, or by lines. */
function checkSize(format: "json" | "outline", content: string): void {
  if (format === "json") {
    const { fault } = readStructure(Buffer.from(content), limits.treeBodyValues);
    if (fault) failWith([{ ...fault, path: "/content" }]);
    return;
  }
  const message = `must not have more than ${LINES} lines`;
  let lines = 0;
  for (const _ of eachLine(content)) {
    lines += 1;
    if (lines > LINES) failWith([{ path: "/content", in: "body", code: "too_many", message, expected: LINES }]);
  }
}

/** Whether a text is Base64, with its padding. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 &&
  !/[^A-Za-z0-9+/]/.test(text.slice(0, -2)) &&
  /^(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)$/.test(text.slice(-2));

function checkSheetFile(format: SheetFormat, content: string): void {
  if (format === "xlsx" && !isBase64(content))
    failWith([{ path: "/content", in: "body", code: "wrong_format", message: "must be a file in Base64" }]);
  const bytes = Buffer.byteLength(content, format === "xlsx" ? "base64" : "utf8");
  const expected = limits.sheetFileBytes;
  const message = `must be a file of at most ${expected / 1024 ** 2} MiB`;
  if (bytes > expected) failWith([{ path: "/content", in: "body", code: "too_large", message, expected }]);
}

function faultsOf(check: () => void): readonly PathFault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Failure) return error.faults ?? [];
    throw error;
  }
}
