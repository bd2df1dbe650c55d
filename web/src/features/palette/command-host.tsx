import { lazy, useEffect, useState } from "react";
import { Part } from "../../ui/part.tsx";
import { hasSingleKeys } from "../../ui/single-keys.ts";
import { type Commands, loadCommands, type Shown, setShower } from "./commands.ts";

const ShownCommands = lazy(async () => ({ default: (await import("./shown-commands.tsx")).ShownCommands }));

const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select";

/** Returns what a key does on every page; null for nothing. */
function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): (Shown | HTMLElement) | null {
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" && !altKey && !shiftKey ? "palette" : null;
  if (altKey || !hasSingleKeys() || (target instanceof Element && target.matches(FIELDS))) return null;
  if (document.querySelector(":popover-open")) return null;
  if (key === "?") return "keys";
  return key === "/" ? (document.querySelector<HTMLElement>("main input[type=search]") ?? "palette") : null;
}

/** Shows the palette and the list of keys above any page, by their keys. Their code is loaded when they are asked for. */
export function CommandHost() {
  const [shown, setShown] = useState<{ readonly what: Shown; readonly loaded: Promise<readonly Commands[]> }>();
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const show = (what: Shown) => {
      setShown({ what, loaded: loadCommands() });
      setTimes((before) => before + 1);
    };
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const action = actionOf(event);
      if (action === null) return;
      event.preventDefault();
      if (typeof action === "string") show(action);
      else action.focus();
    };
    const end = setShower(show);
    addEventListener("keydown", press);
    return () => {
      end();
      removeEventListener("keydown", press);
    };
  }, []);
  if (!shown) return null;
  return (
    // What could not be loaded is tried again the next time.
    <Part key={times}>
      <ShownCommands {...shown} onClose={() => setShown(undefined)} />
    </Part>
  );
}
