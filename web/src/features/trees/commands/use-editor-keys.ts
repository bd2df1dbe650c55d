import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Action, Actions } from "./actions.ts";

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");

/** Returns what a key does wherever the focus is on the page; null for nothing. */
function actionOf(event: KeyboardEvent, actions: Actions): Action | null {
  const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const key = event.key.toLowerCase();
  if (isField(target)) return null;
  if (ctrlKey || metaKey) {
    // In an empty tree no line can have the focus.
    if (key === "enter" && shiftKey) return actions.addNode;
    if (key === "y" || (key === "z" && shiftKey)) return actions.redo;
    return key === "z" ? actions.undo : null;
  }
  if (!altKey) return null;
  if (key === "m" || event.code === "KeyM") return actions.move;
  if (key === "i" || event.code === "KeyI") return actions.insert;
  return key === "enter" ? actions.details : null;
}

/** The keys of the editor that are no grid's: they work wherever the focus is, but not below a dialog. */
export function useEditorKeys(actions: Actions, isPaused: boolean): void {
  const navigate = useNavigate({ from: "/estimations/$id" });
  const latest = useRef({ actions, isPaused });
  latest.current = { actions, isPaused };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const now = latest.current;
      if (now.isPaused || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      // From the details back to the line that they are about.
      const isAside = event.target instanceof Element && event.target.closest("#side-panel") !== null;
      if (event.key === "Escape" && isAside) return document.querySelector<HTMLElement>("[data-focused]")?.focus();
      const action = actionOf(event, now.actions);
      if (!action) return;
      event.preventDefault();
      action.run();
    };
    const print = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
      if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== "p") return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      // What is being typed is an edit, as when the field is left.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      void navigate({ to: "/estimations/$id/print" });
    };
    addEventListener("keydown", press);
    // Before a cell that is typed into keeps it. The browser itself would print the lines in view only.
    addEventListener("keydown", print, true);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("keydown", print, true);
    };
  }, [navigate]);
}
