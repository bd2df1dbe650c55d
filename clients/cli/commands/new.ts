import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import { ApiError } from "../../../contract/client/client.ts";
import { contract } from "../../../contract/index.ts";
import type { Command } from "../command.ts";
import { tell } from "../connect.ts";
import { Failure, UsageError } from "../failure.ts";
import { flagsOf } from "../flags.ts";
import { figure } from "../screen/figures.ts";
import { cleanAll } from "../screen/text.ts";

/** What files are, by how their names end. */
const FORMATS: Readonly<Record<string, "outline" | "json" | "csv" | "xlsx">> = {
  ".md": "outline",
  ".markdown": "outline",
  ".txt": "outline",
  ".org": "outline",
  ".json": "json",
  ".csv": "csv",
  ".xlsx": "xlsx",
};

export const createFromFile: Command = {
  takes: "FILE",
  summary: "Make an estimation from an outline (.md), an exported file (.json) or a spreadsheet (.xlsx, .csv)",
  says: "A file is imported completely or not at all; what is wrong with it is reported by line. - reads the standard input.",
  calls: ["importEstimation"],
  flags: flagsOf(contract.importEstimation.body, { content: null }),
  examples: [
    ["estimate new shop.md", "makes an estimation from an outline"],
    ["estimate new plan.xlsx --title 'Web shop'", "reads a spreadsheet, under another title"],
    ["pbpaste | estimate new - --format outline", "takes the standard input"],
  ],
  async run([file = ""], given, { connect, json, note, print, printJson }) {
    const format = (given.format as keyof typeof FORMATS | undefined) ?? FORMATS[extname(file).toLowerCase()];
    if (format === undefined) throw new UsageError(`what ${file} contains is not known: --format says it`);
    const { client, url } = connect();
    const bytes = file === "-" ? await buffer(process.stdin) : await read(file);
    const body = {
      format: format as "outline",
      content: bytes.toString(format === "xlsx" ? "base64" : "utf8"),
      ...(given.title === undefined ? {} : { title: String(given.title) }),
      ...(given.decimal === undefined ? {} : { decimal: given.decimal as "." | "," }),
    };
    const { data } = await client.importEstimation({ body }).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 400 ? faultsOf(file, error) : error;
    });
    if (json) return printJson(data);
    const { id, title, hours } = cleanAll(data.estimation);
    const { skipped, noted } = cleanAll(data.import);
    for (const { line, message } of [...noted, ...skipped]) note(`${file}:${line}: ${message}`);
    print(`Made ${title} (P50 ${figure(hours.p50)}, P80 ${figure(hours.p80)} hours).`);
    print(id);
    print(`${url}/estimations/${id}`);
  },
};

const read = (file: string) =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${error.code ?? error.message}`);
  });

/** Faults as compilers write them, which editors can follow. */
function faultsOf(file: string, error: ApiError): Failure {
  const { errors = [] } = cleanAll(error.body) as { readonly errors?: readonly { line?: number; message: string }[] };
  const lines = errors.flatMap(({ line, message }) => (line === undefined ? [] : [`${file}:${line}: ${message}`]));
  return new Failure(
    lines.length > 0 ? [`${file} was not imported`, ...lines].join("\n") : tell(error).lines.join("\n"),
  );
}
