import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const MISSING =
  "This test needs LibreOffice: install it (Debian: apt-get install --no-install-recommends libreoffice-calc-nogui)";

/** Texts of the cells of a sheet, by rows. Numbers are as they are computed, not as they are shown. */
export type ReadSheet = readonly (readonly string[])[];

/** The sheets of a workbook, by their names. */
export type ReadWorkbook = Readonly<Record<string, ReadSheet>>;

/** What LibreOffice does with formulas when it opens a file: computes them, or shows what the file says. */
type Recalculation = "always" | "never";

/** All sheets, as texts in quotation marks, and numbers with all digits. */
const CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,-1";

/** Opens workbooks with LibreOffice, all at once; returns their sheets by the names of the workbooks. */
export async function readWorkbooks(
  files: Readonly<Record<string, Uint8Array>>,
  recalculation: Recalculation,
): Promise<Record<string, ReadWorkbook>> {
  const folder = await mkdtemp(join(tmpdir(), "workbooks-"));
  try {
    return await readIn(folder, files, recalculation);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Semicolons, UTF-8, German numbers also where they are not plain, and formulas that are computed. */
const GERMAN_CSV = "CSV:59,34,76,1,,1031,false,true,false,false,false,,true";

/** Opens a CSV file as LibreOffice does in German; returns its cells, with formulas computed. */
export async function readGermanCsv(text: string): Promise<ReadSheet> {
  const folder = await mkdtemp(join(tmpdir(), "csv-"));
  try {
    await writeFile(join(folder, "file.csv"), text);
    await convert(folder, [`--infilter=${GERMAN_CSV}`], [join(folder, "file.csv")]);
    const [file = ""] = await readdir(join(folder, "out"));
    return cellsOf(await readFile(join(folder, "out", file), "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Converts files into CSV files in the folder `out`. */
async function convert(folder: string, options: readonly string[], paths: readonly string[]): Promise<void> {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile"))}`;
  const asked = [profile, "--headless", ...options, "--convert-to", CSV, "--outdir", join(folder, "out"), ...paths];
  try {
    await promisify(execFile)("soffice", asked, { env: { PATH: process.env.PATH, HOME: folder } });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ENOENT" ? new Error(MISSING) : error;
  }
}

async function readIn(
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  recalculation: Recalculation,
): Promise<Record<string, ReadWorkbook>> {
  await mkdir(join(folder, "profile/user"), { recursive: true });
  await writeFile(join(folder, "profile/user/registrymodifications.xcu"), settings(recalculation));
  const paths = await Promise.all(
    Object.entries(files).map(async ([name, bytes]) => {
      const path = join(folder, `${name}.xlsx`);
      await writeFile(path, bytes);
      return path;
    }),
  );
  const out = join(folder, "out");
  await convert(folder, [], paths);
  const read: Record<string, Record<string, ReadSheet>> = {};
  for (const file of await readdir(out)) {
    const [, name = "", sheet = ""] = /^(.*)-([^-]*)$/.exec(basename(file, ".csv")) ?? [];
    read[name] = { ...read[name], [sheet]: cellsOf(await readFile(join(out, file), "utf8")) };
  }
  return read;
}

const settings = (recalculation: Recalculation): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>${recalculation === "always" ? 0 : 1}</value></prop></item></oor:items>`;

/** Reads CSV in which every text is in quotation marks. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\n") rows.push([]);
  }
  // Each line has an end, after which nothing follows.
  return rows.slice(0, -1);
}
