import { crc32, deflateRawSync } from "node:zlib";

interface ZipOptions {
  /** What an entry says of its size, instead of the truth. */
  readonly claimed?: number;
  readonly isEncrypted?: boolean;
}

/** A zip archive of texts. */
export function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  { claimed, isEncrypted }: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const path = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(data), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(claimed ?? data.length, 18);
    about.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), about, path, packed]);
    const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), about, Buffer.alloc(14), path]);
    central.writeUInt32LE(offset, 42);
    parts.push(local);
    directory.push(central);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

interface WorkbookOptions extends ZipOptions {
  /** Sheets by their names: what is in `worksheet`. Those whose name begins with an underscore are hidden. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
  /** Further files of the archive. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** The parts of a workbook, as XML. */
export function partsOfWorkbook({ sheets, strings, styles, files }: WorkbookOptions): Record<string, string | Buffer> {
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (...list: string[]) => `<Relationships xmlns="${PACKAGE}">${list.join("")}</Relationships>`;
  return {
    "_rels/.rels": relations(relation("r", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names
      .map(
        (name, at) =>
          `<sheet name="${name}" sheetId="${at + 1}" ${name.startsWith("_") ? 'state="hidden" ' : ""}r:id="s${at}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ...names.map((_, at) => relation(`s${at}`, "worksheet", `worksheets/sheet${at + 1}.xml`)),
      relation("strings", "sharedStrings", "sharedStrings.xml"),
      relation("styles", "styles", "styles.xml"),
    ),
    ...(strings === undefined ? {} : { "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${strings}</sst>` }),
    ...(styles === undefined ? {} : { "xl/styles.xml": `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }),
    ...Object.fromEntries(
      Object.values(sheets).map((xml, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${MAIN}">${xml}</worksheet>`,
      ]),
    ),
    ...files,
  };
}

/** A workbook (.xlsx) in Base64, as it is sent. */
export const workbookOf = (options: WorkbookOptions): string =>
  zipOf(partsOfWorkbook(options), options).toString("base64");

/** Rows of texts and numbers as the XML of a sheet. */
export const sheetXml = (rows: readonly (readonly (string | number | null)[])[], after = ""): string =>
  `<sheetData>${rows.map((cells) => `<row>${cells.map(cellXml).join("")}</row>`).join("")}</sheetData>${after}`;

function cellXml(value: string | number | null): string {
  if (value === null) return "<c/>";
  return typeof value === "number"
    ? `<c><v>${value}</v></c>`
    : `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
}
