import { updateOption } from "../../../../../domain/tree/edit/edit-options.ts";
import type { Refused } from "../../../ui/numbers/number-fault.tsx";
import type { Typed } from "../../../ui/numbers/read-number.ts";
import { type Edit, inTurn } from "../sync/edits.ts";
import { treeTexts } from "../texts.ts";
import { readLine } from "./read-line.ts";
import { readPoints } from "./read-points.ts";
import type { Row } from "./rows.ts";
import { type Point, setHours } from "./typed-points.ts";

type Store = (change: Edit) => string | null;

/** Stores the title of an option, with what is typed behind it; returns why it cannot, or null. */
export function writeLine({ id, option }: Row, title: string, edit: Store): Refused | null {
  // A title that looks so already is only changed.
  const line = readLine(option?.title ?? "") === null ? readLine(title) : null;
  if (line === null) return edit((tree) => updateOption(tree, id, { title }));
  if (typeof line === "string" || !("title" in line)) return line;
  const fields = { ...line.fields, title: line.title };
  const changes: Edit[] = [(tree) => updateOption(tree, id, fields)];
  if (line.hours) changes.push(setHours(id, option?.override ? "override" : "hours", line.hours));
  return edit(inTurn(changes));
}

/** Stores the hours that are typed into a cell of an option; returns why it cannot, or null. */
export function writeHours({ id, option }: Row, point: Point, typed: Typed, edit: Store): Refused | null {
  // Overrides of a project stay separate from the hours of its template.
  const field = option?.override ? "override" : "hours";
  const read = readPoints(typed, point, option?.[field] ?? null);
  if (read.ok) return edit(setHours(id, field, read.value));
  return read.readings.length > 0 ? read.readings : (read.why ?? treeTexts.editor.unreadable);
}
