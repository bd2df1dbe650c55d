import { posix } from "node:path";
import { limits } from "../../../contract/limits.ts";
import type { Table } from "../../../domain/transfer/sheet-import/table.ts";
import { readSheetXml } from "./sheet-xml.ts";
import { type Archive, openArchive, Unreadable } from "./unzip.ts";
import { type CellStyle, readStrings, readStyles } from "./workbook-parts.ts";
import { readXml } from "./xml.ts";

/** What an old workbook (.xls) begins with, and one with a password. */
const COMPOUND = "d0cf11e0a1b11ae1";
const ZIP = "504b0304";

/** A visible sheet of a workbook, which is read when it is asked for. */
export interface LazySheet {
  readonly name: string;
  read(): Promise<Table>;
}

/** Opens a file of Excel (.xlsx). Values are those that are stored: no formula is computed, and no macro or link is read. */
export async function openWorkbook(file: Buffer): Promise<LazySheet[]> {
  const signature = file.subarray(0, 8).toString("hex");
  if (signature === COMPOUND)
    throw new Unreadable("is an old workbook (.xls), or has a password: save it as .xlsx without one");
  if (!signature.startsWith(ZIP)) throw new Unreadable("is not a workbook (.xlsx)");
  const archive = await openArchive(file, limits.sheetUnpackedBytes);
  try {
    return await sheetsOf(archive);
  } catch (error) {
    throw readable(error);
  }
}

const readable = (error: unknown): Unreadable =>
  error instanceof Unreadable ? error : new Unreadable("is damaged: a part of it is not XML");

async function sheetsOf(archive: Archive): Promise<LazySheet[]> {
  const root = await relationsOf(archive, "_rels/.rels", "");
  const main = root.find(({ type }) => type.endsWith("/officeDocument"))?.target ?? "xl/workbook.xml";
  const folder = posix.dirname(main);
  const relations = await relationsOf(archive, posix.join(folder, "_rels", `${posix.basename(main)}.rels`), folder);
  const pathOf = (type: string) => relations.find((each) => each.type.endsWith(type))?.target;
  const textOf = async (path: string | undefined) => (path && archive.has(path) ? await archive.read(path) : null);
  const sheets: { readonly name: string; readonly path: string | undefined }[] = [];
  readXml(await archive.read(main), {
    open(name, attributes) {
      if (name !== "sheet") return;
      const { name: title = "", state, id } = attributes();
      if (state !== "hidden" && state !== "veryHidden")
        sheets.push({ name: title, path: relations.find((each) => each.id === id)?.target });
    },
  });
  const styles: readonly CellStyle[] = readStyles(await textOf(pathOf("/styles")));
  const strings = readStrings(await textOf(pathOf("/sharedStrings")));
  return sheets.flatMap(({ name, path }) =>
    path === undefined || !archive.has(path)
      ? []
      : [
          {
            name,
            async read() {
              try {
                return { name, rows: readSheetXml(await archive.read(path), { strings, styles }) };
              } catch (error) {
                throw readable(error);
              }
            },
          },
        ],
  );
}

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

async function relationsOf(archive: Archive, path: string, folder: string): Promise<Relation[]> {
  const relations: Relation[] = [];
  if (!archive.has(path)) return relations;
  readXml(await archive.read(path), {
    open(name, attributes) {
      if (name !== "Relationship") return;
      const { Id = "", Type = "", Target = "" } = attributes();
      const target = Target.startsWith("/") ? Target.slice(1) : posix.join(folder, Target);
      relations.push({ id: Id, type: Type, target });
    },
  });
  return relations;
}
