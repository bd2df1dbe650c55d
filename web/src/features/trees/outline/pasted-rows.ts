import { limits } from "../../../../../contract/limits.ts";
import { createOption, selectOption } from "../../../../../domain/tree/edit/edit-options.ts";
import type { Option, ThreePoint } from "../../../../../domain/tree/shape.ts";
import { numberStyle } from "../../../ui/numbers/format.ts";
import { readHours, readRange } from "../../../ui/numbers/read-hours.ts";
import { type Read, readNumber, type Typed } from "../../../ui/numbers/read-number.ts";
import { pasteTexts as t } from "../dialogs/paste-texts.ts";
import { type Edit, inTurn } from "../sync/edits.ts";
import type { Row } from "./rows.ts";

/** A line that becomes an option. */
export interface PastedRow extends Partial<Pick<Option, "description" | "override" | "unit" | "selected">> {
  readonly title: string;
  readonly points: ThreePoint | null;
  readonly quantity: number;
  readonly role: string | null;
  /** Why it is not added; null if it is. */
  readonly fault: string | null;
}

/** What separates decimals where the text was copied. */
export type Decimal = "." | ",";

export interface PastedRows {
  readonly rows: readonly PastedRow[];
  /** A number with two readings, with each of them; null if there is none. */
  readonly question: { readonly text: string; readonly readings: Readonly<Record<Decimal, string>> } | null;
}

/** Reads lines of cells without a head: title, low, likely, high, quantity, role. Numbers with two readings are read with `decimal`. */
export function readCells(all: readonly (readonly string[])[], decimal: Decimal | null): PastedRows {
  let question: PastedRows["question"] = null;
  const read = <T>(cell: string, how: (typed: Typed, style: typeof numberStyle) => Read<T>): T | undefined => {
    const guess = how({ text: cell, isPasted: true }, numberStyle);
    if (guess.ok) return guess.value;
    if (guess.readings.length < 2) return undefined;
    const under = (mark: Decimal) =>
      how({ text: cell }, { ...numberStyle, decimal: mark, group: mark === "." ? "," : "." });
    const [point, comma] = [under("."), under(",")];
    if (point.ok && comma.ok) question ??= { text: cell, readings: { ".": said(point.value), ",": said(comma.value) } };
    const chosen = decimal === "," ? comma : point;
    return chosen.ok ? chosen.value : undefined;
  };
  const lines = all.filter((cells) => cells.some((cell) => cell.trim() !== ""));
  const rows = lines.map((cells) => readRow(cells, read));
  // The heads of the columns are no option.
  const [first, second] = rows;
  const hasHeads = first?.fault === t.hours && second?.fault === null && !/\d/.test(lines[0]?.slice(1).join("") ?? "");
  return { rows: hasHeads ? rows.slice(1) : rows, question };
}

const said = (value: unknown): string =>
  [value]
    .flat()
    .map((each) => numberStyle.write(Number(each)))
    .join("-");

type Reader = <T>(cell: string, how: (typed: Typed, style: typeof numberStyle) => Read<T>) => T | undefined;

function readRow([title = "", first = "", ...more]: readonly string[], read: Reader): PastedRow {
  const [second = "", third = "", count = "", role = ""] = more;
  const range = read(first, (typed, style) => readRange(typed, style, limits.optionHoursMax));
  const isRange = Array.isArray(range) && range.length > 1;
  const three = isRange
    ? range.length === 2
      ? [range[0], null, range[1]]
      : range
    : [first, second, third].map((cell) => read(cell, readHours));
  const quantity = read(count, readNumber);
  const row = { title: title.trim(), quantity: quantity ?? 1, role: role.trim() || null, points: null };
  if (row.title === "") return { ...row, fault: t.title };
  if (three.includes(undefined) || quantity === undefined) return { ...row, fault: t.hours };
  const points = pointsFrom(three as readonly (number | null)[]);
  const isOrdered = points === null || (points.optimistic <= points.likely && points.likely <= points.pessimistic);
  const isShort = row.title.length <= limits.nodeTitleLength && (row.role?.length ?? 0) <= limits.roleLength;
  return { ...row, points, fault: !isOrdered ? t.order : isShort ? null : t.long };
}

/** What is missing is as the nearest that is there. */
function pointsFrom([low = null, likely = null, high = null]: readonly (number | null)[]): ThreePoint | null {
  const optimistic = low ?? likely ?? high;
  const pessimistic = high ?? likely ?? low;
  if (optimistic === null || pessimistic === null) return null;
  return { optimistic, likely: likely ?? (optimistic + pessimistic) / 2, pessimistic };
}

/** Returns the cells of each line; a cell in quotes can have ends of lines in it. */
export function linesOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/g,
  )) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"').replace(/\s+/g, " "));
    if (end === "") break;
    if (end !== "\t") lines.push([]);
  }
  return lines;
}

/**
 * Adds lines as options with these ids: behind the option, or at the end of the question that has the focus. There are as many ids
 * as `pastedCount` says.
 */
export function addPasted({ node, option, index }: Row, rows: readonly PastedRow[], ids: readonly string[]): Edit {
  const at = option === null ? node.options.length : index + 1;
  const added = rows.filter(({ fault }) => fault === null).map((row, at) => ({ ...row, id: ids[at] ?? "" }));
  const edits = added.map(
    ({ id, fault: _, points, selected: __, ...fields }, place): Edit =>
      (tree) =>
        createOption(tree, node.id, { ...fields, hours: points, position: at + place }, () => id),
  );
  const [first] = added;
  // As for a single option: the first of a question with one response is its response.
  if (first && node.kind === "single" && node.options.length === 0) edits.push((tree) => selectOption(tree, first.id));
  if (node.kind === "multi")
    edits.push(
      ...added
        .filter(({ selected }) => selected)
        .map(
          ({ id }): Edit =>
            (tree) =>
              selectOption(tree, id),
        ),
    );
  return inTurn(edits);
}

/** Returns how many of the lines count where they are added. */
export function countedOf({ node }: Row, rows: readonly PastedRow[]): number {
  const added = rows.filter(({ fault }) => fault === null);
  if (node.kind === "group") return added.length;
  if (node.kind === "single") return node.options.length === 0 ? Math.min(1, added.length) : 0;
  return added.filter(({ selected }) => selected).length;
}

export const pastedCount = (rows: readonly PastedRow[]): number => rows.filter(({ fault }) => fault === null).length;
