import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { uiTexts } from "../../../ui/texts.ts";
import { whenShown } from "../../live/later.ts";
import type { Focus, SetFocus } from "../editor.tsx";
import type { TreeSync } from "../sync/tree-sync.ts";
import { HeldKeys } from "./held-keys.ts";
import { type Row, valueAt } from "./rows.ts";

export type Typing = typeof import("./typing.ts");

let loaded: Typing | null = null;
const waiting = new Set<() => void>();
const subscribe = (tell: () => void) => {
  waiting.add(tell);
  return () => void waiting.delete(tell);
};

export const loadTyping = async (): Promise<Typing> => {
  loaded ??= await import("./typing.ts");
  for (const tell of waiting) tell();
  return loaded;
};

interface Context {
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly focus: Focus | null;
}

/**
 * Returns the code of typing, null until it is loaded: once the page has had time to show, so that it is there without a
 * connection too, or as soon as a line has the focus; and the keys that are held until then.
 */
export function useTyping({ sync, focus }: Context): { readonly code: Typing | null; readonly held: HeldKeys } {
  const code = useSyncExternalStore(subscribe, () => loaded);
  const [held] = useState(() => new HeldKeys());
  const isWanted = focus !== null;
  useEffect(() => {
    if (code || !sync) return;
    // Where it cannot be loaded, it is said when something is typed.
    (isWanted ? loadTyping() : whenShown().then(loadTyping)).catch(() => {});
  }, [code, sync, isWanted]);
  return { code, held };
}

interface HoldContext extends Context {
  readonly code: Typing | null;
  readonly held: HeldKeys;
  /** The line that has the focus. */
  readonly row: Row | undefined;
  readonly setFocus: SetFocus;
}

/** Holds the keys that follow the one that began to type until there is an input for them. */
export function useHeldKeys({ code, held, sync, focus, row, setFocus }: HoldContext): void {
  const before = useRef("");
  before.current = row && focus ? valueAt(row, focus.column) : "";
  useEffect(() => {
    if (!sync || !focus || focus.typed === null) return void held.end("input");
    if (code) return void held.release();
    const { rowId, column, typed } = focus;
    held.begin("input");
    const value = before.current;
    let isOver = false;
    loadTyping().catch(() => {
      if (isOver) return;
      sync.say(uiTexts.partLost);
      setFocus({ ...focus, typed: null });
    });
    return () => {
      isOver = true;
      if (loaded) return;
      // Left before there was an input: what was typed stays in the cell.
      const text = typed + held.end("input");
      if (text !== value) sync.refuse(rowId, column, { text, fault: uiTexts.partLost });
    };
  }, [code, held, sync, focus, setFocus]);
}
