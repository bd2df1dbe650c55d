import { limits } from "../../../../../contract/limits.ts";
import { pointsFrom } from "../../../../../domain/tree/hours/range-points.ts";
import { fieldNumber, numberStyle } from "../../../ui/numbers/format.ts";
import { readRange } from "../../../ui/numbers/read-hours.ts";
import type { Typed } from "../../../ui/numbers/read-number.ts";
import styles from "./read-echo.module.css";
import { POINTS } from "./rows.ts";

/** Returns what was read where it differs from what was typed, such as `16 h` for `2d`; null where it is the same. */
function readingOf(typed: Typed): string | null {
  const read = readRange(typed, numberStyle, limits.optionHoursMax);
  if (!read.ok || read.value === null) return null;
  const points = pointsFrom(read.value);
  const numbers = (read.value.length === 1 ? [read.value[0]] : POINTS.map((point) => points[point])).map(fieldNumber);
  const written = typed.text
    .trim()
    .replace(/\s*h$/i, "")
    .split(/\s*[-–/;]\s*|\s+/);
  return written.join(" ") === numbers.join(" ") ? null : `${numbers.join(" · ")} h`;
}

/**
 * Shows below a cell of hours what was read, where that differs, until the next key or change of the focus. It is outside of
 * the table, as its cells say what is stored, and is announced when the reader pauses.
 */
export function tellReading(typed: Typed, id: string, column: number): void {
  const text = readingOf(typed);
  const cell = document.querySelector(`tr[data-row="${CSS.escape(id)}"] > td:nth-child(${column + 1})`);
  const section = cell?.closest("section");
  if (!cell || !section) return;
  const box = section.querySelector<HTMLElement>("[data-reading]") ?? section.appendChild(boxOf());
  box.textContent = text;
  if (text === null) return;
  const { right, bottom } = cell.getBoundingClientRect();
  const around = (box.offsetParent ?? document.documentElement).getBoundingClientRect();
  box.style.top = `${bottom - around.top}px`;
  box.style.left = `${Math.max(0, right - around.left - box.offsetWidth)}px`;
  // Once the focus has gone where the key that ended typing leads.
  requestAnimationFrame(() => {
    const ended = new AbortController();
    const end = () => {
      ended.abort();
      if (box.textContent === text) box.textContent = "";
    };
    for (const name of ["keydown", "focusin", "pointerdown"])
      addEventListener(name, end, { capture: true, signal: ended.signal });
  });
}

function boxOf(): HTMLElement {
  const box = document.createElement("div");
  box.setAttribute("role", "status");
  box.dataset.reading = "";
  if (styles.echo) box.className = styles.echo;
  return box;
}
