import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from "react";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import type { SetFocus } from "../editor.tsx";
import { aboveOf } from "../find/use-linked-place.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import { useStable } from "../use-stable.ts";
import { holdKeys } from "./held-keys.ts";
import type { NewLine, NewPlace } from "./new-line.ts";
import type { Row } from "./rows.ts";

type Lines = typeof import("./new-line.ts");

/** Loaded once a line has the focus: what a browser loads at first has no room for it. */
let lines: Lines | null = null;
const load = async (): Promise<Lines> => {
  lines ??= await import("./new-line.ts");
  return lines;
};

/** Returns what typing needs beside the cells themselves; null until it is loaded, which this asks for. */
export function loadedLines(): Lines | null {
  load().catch(() => {});
  return lines;
}

interface Context {
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly tree: Tree;
  /** Whether a line has the focus: then one may be typed soon. */
  readonly hasFocus: boolean;
  readonly setFocus: SetFocus;
  readonly setClosed: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** Whether titles are typed where lines show; elsewhere a line begins with the title of a new one. */
  readonly isTyped: boolean;
}

/** Begins a line in a place; what its title begins with is asked for when it shows. */
export type BeginLine = (place: NewPlace, from: string | null, typed?: () => string) => void;

/** Returns the line that is typed and not yet part of the tree, with the tree as it shows, and what is done to lines while typing. */
export function useNewLine({ sync, tree, hasFocus, setFocus, setClosed, isTyped }: Context) {
  const [line, setLine] = useState<NewLine | null>(null);
  /** Whether a line begins as soon as there is an id for it. */
  const isLate = useRef(false);
  const made = useMemo(() => (line && sync ? line.make(tree) : null), [line, sync, tree]);
  const shown = made?.ok ? made.tree : tree;
  // Stored, or others have deleted what would hold it.
  const isOver = line !== null && shown === tree;
  useEffect(() => {
    if (isOver) setLine(null);
  }, [isOver]);
  useEffect(() => {
    if (sync && hasFocus) loadedLines();
  }, [sync, hasFocus]);
  // What is typed before its code is there is typed once it is.
  useEffect(
    () => (sync && !lines ? holdKeys((target) => target.closest("[role=treegrid]") !== null, load) : undefined),
    [sync],
  );
  const open = (now: Tree, id: string) => {
    const above = aboveOf(now, id) ?? [];
    setClosed((before) =>
      above.some((each) => before.has(each)) ? new Set([...before].filter((each) => !above.includes(each))) : before,
    );
  };
  const show = (next: NewLine, typed: string) => {
    const outcome = sync ? next.make(sync.current().tree) : null;
    if (outcome?.ok) open(outcome.tree, next.id);
    setLine(next);
    setFocus({ rowId: next.id, column: 0, typed });
  };
  const begin: BeginLine = useStable((place: NewPlace, from: string | null, typed = () => "") => {
    if (!sync) return;
    const next = lines?.lineIn(place, { ids: {}, from }, (kind) => sync.ids.take(kind));
    if (next) return begun(next);
    if (isLate.current) return;
    isLate.current = true;
    // Right after the page was opened, or without a connection for long.
    const late = Promise.all([load(), sync.ids.takeAll(place.kind, 1)]).then(
      ([{ lineIn }, ids]) => {
        const ready = ids && lineIn(place, { ids: { [place.kind]: ids[0] }, from }, () => null);
        if (ready) begun(ready);
        else sync.say(treeTexts.editor.noIds);
      },
      () => sync.say(treeTexts.editor.noIds),
    );
    void late.finally(() => {
      isLate.current = false;
    });
    function begun(ready: NewLine) {
      const refused = isTyped ? sync?.refusalOf(ready.make) : sync?.edit(ready.make);
      if (refused) sync?.say(refused);
      else if (isTyped) show(ready, typed());
      else setFocus({ rowId: ready.id, column: 0, typed: null });
    }
  });
  /** Moves a line one level in or out, while its title is typed. */
  const shift = useStable(({ id }: Row, isOut: boolean) => {
    if (!sync || !lines) return;
    const isNew = line?.id === id;
    const done = isNew ? lines.shiftNew(sync, line, isOut) : lines.shiftLine(sync, id, isOut);
    if (typeof done === "string") sync.say(done);
    else if (done) show(done, "");
    else open(sync.current().tree, id);
  });
  /** Removes a line that has nothing but the title that is typed, whether it is part of the tree or not; returns whether it did. */
  const erase = (row: Row): boolean => {
    if (line?.id !== row.id) return (sync && lines?.removeEmpty(sync, row)) ?? false;
    setLine(null);
    return true;
  };
  return { line: isOver ? null : line, tree: shown, begin, shift, erase, drop: () => setLine(null) };
}

export type NewLines = ReturnType<typeof useNewLine>;
