import type { EstimationFields } from "../../../contract/endpoints/estimations.ts";
import type { Rounding } from "../../../contract/values/roundings.ts";
import { noteFault, type Outline } from "../outline-items.ts";
import { readText, trimmed } from "../outline-text.ts";

/** What the lines before the first item say. */
export interface Head {
  readonly fields: Partial<EstimationFields>;
  /** The line of each field. */
  readonly lines: Map<string, number>;
  /** The names of the settings so far. */
  readonly settings: Set<string>;
  /** Whether the heading of the assumptions came: what is quoted after it, before the first item, are assumptions. */
  isAssuming: boolean;
}

/** A head of which nothing was read. */
export const newHead = (): Head => ({ fields: {}, lines: new Map(), settings: new Set(), isAssuming: false });

/** A tag in quotation marks, or up to the next comma. One that is not closed takes the rest, so that each is read once. */
const TAG = /"((?:[^"\\]|\\.)*)\\?(?:"|$)|([^",]+)/gs;

const readers: Readonly<Record<string, (written: string, fields: Partial<EstimationFields>) => string | null>> = {
  client: (written, fields) => {
    fields.clientName = readText(written);
    return "clientName";
  },
  "hourly rate": (written, fields) => {
    fields.hourlyRate = Number(written);
    return numberName(written, "hourlyRate");
  },
  currency: (written, fields) => {
    fields.currency = written;
    return "currency";
  },
  correlation: (written, fields) => {
    fields.correlation = Number(written);
    return numberName(written, "correlation");
  },
  rounding: (written, fields) => {
    fields.rounding = Number(written) as Rounding;
    return numberName(written, "rounding");
  },
  tags: (written, fields) => {
    fields.tags = [...written.matchAll(TAG)]
      .map(([, quoted, plain]) => readText(quoted ?? trimmed(plain ?? "")))
      .filter((tag) => tag !== "");
    return "tags";
  },
};

/** Returns the name of the field, or null if the text is not a number. */
function numberName(written: string, name: string): string | null {
  return /^\d+(\.\d+)?(e-\d+)?$/.test(written) ? name : null;
}

const known = Object.keys(readers).join(", ");
const SETTING = /^([A-Za-z ]{1,40}):(.*)$/s;

/** Whether a line is one of the settings. */
export const isSetting = (content: string): boolean =>
  Object.hasOwn(readers, SETTING.exec(content)?.[1]?.toLowerCase() ?? "");

/** Reads a line before the first item that is no heading and no description. */
export function takeSetting(outline: Outline, { fields, lines, settings }: Head, content: string, line: number): void {
  const [, given = "", written = ""] = SETTING.exec(content) ?? [];
  const name = given.toLowerCase();
  if (settings.has(name)) {
    noteFault(outline, line, "is there already");
    return;
  }
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (read) settings.add(name);
  const field = read?.(trimmed(written), fields);
  if (!read)
    noteFault(outline, line, `must begin with -, > or #, or be a setting such as Client: Ada; there are ${known}`);
  else if (field) lines.set(field, line);
  else
    noteFault(
      outline,
      line,
      `must be a number${/\d,\d/.test(written) ? ", with a point for decimals and nothing between thousands" : ""}`,
    );
}

/** Takes the title of the estimation. */
export function takeTitle(outline: Outline, { fields, lines }: Head, written: string, line: number): void {
  fields.title = readText(trimmed(written));
  outline.top.title = fields.title;
  lines.set("title", line);
}

/** Descriptions and assumptions may have several lines; a description that has not started is the empty text. */
export function describe(outline: Outline, { fields, isAssuming }: Head, line: string): void {
  const item = outline.levels.at(-1)?.thing;
  if (!item && isAssuming) {
    fields.assumptions = fields.assumptions === undefined ? line : `${fields.assumptions}\n${line}`;
    return;
  }
  const thing = item ?? fields;
  const before = outline.described.has(thing) ? `${thing.description}\n` : "";
  outline.described.add(thing);
  thing.description = before + line;
}
