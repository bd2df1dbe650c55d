import { useEffect } from "react";
import { hasSingleKeys } from "../../../ui/single-keys.ts";
import { useStable } from "../use-stable.ts";

/**
 * Single keys that work wherever nothing is typed, unless the reader has switched them off: those of a page, which wait while a
 * dialog is open, or those of a dialog.
 */
export function usePageKeys(actions: Readonly<Record<string, () => void>>, isOfDialog = false): void {
  const press = useStable((event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || !hasSingleKeys()) return;
    if (target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
      return;
    if (document.querySelector(isOfDialog ? ":popover-open" : "dialog[open], :popover-open")) return;
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [press]);
}
