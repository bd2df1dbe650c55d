import { useEffect, useRef } from "react";
import type { Action, Actions } from "./actions.ts";

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");

/** Returns what a key does wherever the focus is on the page; null for nothing. */
function actionOf(event: KeyboardEvent, actions: Actions, hasSingleKeys: boolean): Action | null {
  const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const key = event.key.toLowerCase();
  if (ctrlKey || metaKey) {
    if (key === "k") return actions.palette;
    if (isField(target)) return null;
    // In an empty tree no line can have the focus.
    if (key === "enter" && shiftKey) return actions.addNode;
    if (key === "y" || (key === "z" && shiftKey)) return actions.redo;
    return key === "z" ? actions.undo : null;
  }
  if (isField(target)) return null;
  if (altKey) return key === "m" || event.code === "KeyM" ? actions.move : key === "enter" ? actions.details : null;
  if (!hasSingleKeys) return null;
  return key === "?" ? actions.keys : key === "/" ? actions.filter : null;
}

/** The keys of the editor that are no grid's: they work wherever the focus is, but not below a dialog. */
export function useEditorKeys(actions: Actions, hasSingleKeys: boolean, isPaused: boolean): void {
  const latest = useRef({ actions, hasSingleKeys, isPaused });
  latest.current = { actions, hasSingleKeys, isPaused };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const now = latest.current;
      if (now.isPaused || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      // From the details back to the line that they are about.
      const isAside = event.target instanceof Element && event.target.closest("#side-panel") !== null;
      if (event.key === "Escape" && isAside) return document.querySelector<HTMLElement>("[data-focused]")?.focus();
      const action = actionOf(event, now.actions, now.hasSingleKeys);
      if (!action) return;
      event.preventDefault();
      action.run();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
