import type { KeyboardEvent } from "react";
import { usePageKeys } from "../trees/commands/use-page-keys.ts";

const rowOf = (element: Element | null) => element?.closest<HTMLElement>("[data-entry]") ?? null;

/** Moves the focus to the title of the next row of the list, or of the one before; to the first from elsewhere. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-entry]")];
  const row = rowOf(document.activeElement);
  const next = row === null ? rows[0] : rows[rows.indexOf(row) + by];
  next?.querySelector("a")?.focus();
}

/** What takes the arrows for itself. The hint of a row that has had the focus for a moment does not. */
const OPEN = ":popover-open:not([role=tooltip])";

/** Moves between the rows by arrows, from anywhere in a row. */
export function pressArrow(event: KeyboardEvent): void {
  const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
  if (by === undefined || event.altKey || event.shiftKey || document.querySelector(OPEN)) return;
  event.preventDefault();
  step(by);
}

/** Selects one row or, by Shift, all from the last one to it. */
export type Pick = (id: string, isRange: boolean) => void;

/** Moves between the rows by j and k, and selects the one with the focus by x; Enter opens it, as it does any link. */
export function useRowKeys(onPick: Pick, onClear: () => void): void {
  const pick = (isRange: boolean) => () => {
    const id = rowOf(document.activeElement)?.dataset.entry;
    if (id !== undefined) onPick(id, isRange);
  };
  usePageKeys({ j: () => step(1), k: () => step(-1), x: pick(false), X: pick(true), Escape: onClear });
}

/** Returns the ids from one row to another, whichever comes first; without the one, the other alone. */
export function rangeOf(ids: readonly string[], from: string, to: string): readonly string[] {
  const ends = [ids.indexOf(from), ids.indexOf(to)] as const;
  return ends[0] < 0 ? [to] : ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}
