import type { EstimationFields } from "../../contract/endpoints/estimations.ts";
import type { Rounding } from "../../contract/values/roundings.ts";
import { checkImport } from "../tree/import-tree.ts";
import type { Import, Incoming, LineFault, PathFault } from "./content.ts";
import { eachLine } from "./each-line.ts";
import type { CheckShape } from "./import-json.ts";
import { isOver, lastThing, newOutline, noteFault, type Outline, settleKinds, takeItem } from "./outline-items.ts";
import { readText, trimmed } from "./outline-text.ts";

/** The content of the lines before the first item. */
interface Head {
  readonly fields: Partial<EstimationFields>;
  /** The line of each field. */
  readonly lines: Map<string, number>;
  /** The names of the settings so far. */
  readonly settings: Set<string>;
  /** Whether the heading of the assumptions came: what is quoted after it, before the first item, are assumptions. */
  isAssuming: boolean;
}

/** Maximum length of a line that is not a description: longer than any title with its options. */
const LONGEST = 10_000;

/** A tab counts as this many spaces of indentation. */
const TAB = 4;

/**
 * Reads an estimation written as an indented Markdown outline, as described in `docs/import-export.md`. Every fault is
 * reported with its line; reading ends after as many faults as are reported, or more items than a tree may have. Rules that
 * span several lines are checked as for every import, and reported for the line that caused the fault.
 */
export function importOutline(text: string, checkShape: CheckShape): Import {
  const outline = newOutline();
  const head: Head = { fields: {}, lines: new Map(), settings: new Set(), isAssuming: false };
  let line = 0;
  for (const raw of eachLine(text.replace(/^\uFEFF/, ""))) {
    line += 1;
    takeLine(outline, head, raw, line);
    if (isOver(outline)) break;
  }
  settleKinds(outline);
  const { faults, top } = outline;
  if (!head.fields.title && faults.length === 0)
    faults.push({ line: 1, message: "the first line must be # and a title" });
  if (faults.length > 0) return { ok: false, faults };
  const incoming: Incoming = { estimation: { ...head.fields, title: head.fields.title ?? "" }, nodes: top.nodes };
  const file = { estimation: incoming.estimation, tree: { nodes: top.nodes } };
  const wrong = checkShape(file);
  if (wrong.length > 0) return { ok: false, faults: wrong.map((fault) => atLine(fault, file, outline, head)) };
  const check = checkImport(top.nodes);
  if (check.ok) return { ok: true, incoming: { ...incoming, checked: check.checked } };
  return {
    ok: false,
    faults: check.faults.map(({ path, ...fault }) => atLine({ path: `/tree${path}`, ...fault }, file, outline, head)),
  };
}

function takeLine(outline: Outline, head: Head, raw: string, line: number): void {
  const indent = /^[ \t]*/.exec(raw)?.[0] ?? "";
  const content = raw.slice(indent.length);
  const item = /^[-*+](?:[ \t]+(.*))?$/s.exec(content);
  const description = /^> ?(.*)$/s.exec(content);
  if (trimmed(content) === "") return;
  if (!description && content.length > LONGEST) {
    noteFault(outline, line, `must not be longer than ${LONGEST} characters`);
    return;
  }
  if (item) takeItem(outline, indent.replaceAll("\t", " ".repeat(TAB)).length, trimmed(item[1] ?? ""), line);
  else if (description) describe(outline, head, description[1] ?? "");
  else if (outline.levels.length > 0) noteFault(outline, line, "must begin with - for an item or > for a description");
  else takeHead(outline, head, content, line);
}

/** Descriptions and assumptions may have several lines; a description that has not started is the empty text. */
function describe(outline: Outline, { fields, isAssuming }: Head, line: string): void {
  const item = lastThing(outline);
  if (!item && isAssuming) {
    fields.assumptions = fields.assumptions === undefined ? line : `${fields.assumptions}\n${line}`;
    return;
  }
  const thing = item ?? fields;
  const before = outline.described.has(thing) ? `${thing.description}\n` : "";
  outline.described.add(thing);
  thing.description = before + line;
}

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

function takeHead(outline: Outline, head: Head, content: string, line: number): void {
  const { fields, lines } = head;
  if (/^##[ \t]+assumptions$/i.test(trimmed(content))) {
    if (head.isAssuming) noteFault(outline, line, "is there already");
    head.isAssuming = true;
    lines.set("assumptions", line);
    return;
  }
  const title = /^#[ \t]+(.*)$/s.exec(content);
  if (title && fields.title !== undefined) noteFault(outline, line, "there is a title already");
  else if (title) {
    fields.title = readText(trimmed(title[1] ?? ""));
    outline.top.title = fields.title;
    lines.set("title", line);
  } else takeSetting(outline, head, content, line);
}

function takeSetting(outline: Outline, { fields, lines, settings }: Head, content: string, line: number): void {
  const [, given = "", written = ""] = /^([A-Za-z ]+):(.*)$/s.exec(content) ?? [];
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

const known = Object.keys(readers).join(", ");

/** Returns a fault with the line of the deepest object on its path. */
function atLine({ path, message, code }: PathFault, file: object, outline: Outline, head: Head): LineFault {
  const names = path.split("/").slice(1);
  const field = names[0] === "estimation" ? (names[1] ?? "title") : "title";
  let line = head.lines.get(field) ?? head.lines.get("title") ?? 1;
  let value: unknown = file;
  let rest = names;
  for (const [index, name] of names.entries()) {
    value = (value as Record<string, unknown> | undefined)?.[name];
    const own = typeof value === "object" && value !== null ? outline.lines.get(value) : undefined;
    if (own === undefined) continue;
    line = own;
    rest = names.slice(index + 1);
  }
  return { line, message: [rest.at(-1), message].filter(Boolean).join(" "), ...(code ? { code } : {}) };
}
