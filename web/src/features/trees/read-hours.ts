import { splitWords } from "../../../../domain/transfer/outline-fields.ts";
import type { ThreePoint } from "../../../../domain/tree/shape.ts";
import { texts } from "../../texts.ts";

export type Point = keyof ThreePoint;

type Read = { readonly ok: true; readonly hours: ThreePoint | null } | { readonly ok: false; readonly fault: string };

/**
 * Reads what was typed into the cell of one point: a number for that point (for all three where there are none yet), or all
 * three at once, as outlines have them: `4-16-34`, `2d-1w`. Nothing removes the hours.
 */
export function readHours(typed: string, point: Point, before: ThreePoint | null): Read {
  const text = typed
    .trim()
    .replace(/\s*[-–—]\s*/g, "-")
    .replaceAll(",", ".");
  if (text === "") return { ok: true, hours: null };
  const hours = splitWords(`-: ${text}`).words?.hours;
  if (!hours) return { ok: false, fault: texts.editor.unreadable };
  if (text.includes("-") || before === null) return { ok: true, hours };
  return { ok: true, hours: { ...before, [point]: hours.likely } };
}
