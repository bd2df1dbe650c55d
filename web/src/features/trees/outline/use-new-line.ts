import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from "react";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import type { SetFocus } from "../editor.tsx";
import { aboveOf } from "../find/use-linked-place.ts";
import type { TreeSync } from "../sync/tree-sync.ts";
import { treeTexts } from "../texts.ts";
import { useStable } from "../use-stable.ts";
import type { HeldKeys } from "./held-keys.ts";
import type { NewLine, NewPlace } from "./new-line.ts";
import type { Row } from "./rows.ts";
import { loadTyping, type Typing } from "./use-typing.ts";

const t = treeTexts.editor;

interface Context {
  /** Null where it is only read. */
  readonly sync: TreeSync | null;
  readonly tree: Tree;
  /** What typing needs; null until it is loaded. */
  readonly code: Typing | null;
  readonly held: HeldKeys;
  readonly setFocus: SetFocus;
  readonly setClosed: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** Whether titles are typed where lines show; elsewhere a line begins with the title of a new one. */
  readonly isTyped: boolean;
}

/** Begins a line in a place, with `typed` in its title. */
export type BeginLine = (place: NewPlace, from: string | null, typed?: string) => void;

/** Returns the line that is typed and not yet part of the tree, with the tree as it shows, and what is done to lines while typing. */
export function useNewLine({ sync, tree, code, held, setFocus, setClosed, isTyped }: Context) {
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
  const begin: BeginLine = useStable((place: NewPlace, from: string | null, typed = "") => {
    if (!sync) return;
    const next = code?.lineIn(place, { ids: {}, from }, (kind) => sync.ids.take(kind));
    if (next) return begun(next);
    if (isLate.current) return;
    isLate.current = true;
    if (isTyped) held.begin("line");
    // Right after the page was opened, or without a connection for long.
    const late = Promise.all([loadTyping(), sync.ids.takeAll(place.kind, 1)]).then(([{ lineIn }, ids]) => {
      const ready = ids && lineIn(place, { ids: { [place.kind]: ids[0] }, from }, () => null);
      if (!ready) throw new Error("There are no ids.");
      begun(ready);
    });
    void late
      .catch(() => fail(t.noIds))
      .then(() => {
        isLate.current = false;
      });
    function fail(reason: string) {
      const text = `${typed}${held.end("line")}`.trim();
      sync?.say([reason, ...(text ? [t.notSaved(text)] : [])].join(" "));
    }
    function begun(ready: NewLine) {
      const refused = isTyped ? sync?.refusalOf(ready.make) : sync?.edit(ready.make);
      if (refused) fail(refused);
      else if (isTyped) show(ready, typed);
      else setFocus({ rowId: ready.id, column: 0, typed: null });
    }
  });
  /** Moves a line one level in or out, while its title is typed. */
  const shift = useStable(({ id }: Row, isOut: boolean) => {
    if (!sync || !code) return;
    const isNew = line?.id === id;
    const done = isNew ? code.shiftNew(sync, line, isOut) : code.shiftLine(sync, id, isOut);
    if (typeof done === "string") sync.say(done);
    else if (done) show(done, "");
    else open(sync.current().tree, id);
  });
  /** Removes a line that has nothing but the title that is typed, whether it is part of the tree or not; returns whether it did. */
  const erase = (row: Row): boolean => {
    if (line?.id !== row.id) return (sync && code?.removeEmpty(sync, row)) ?? false;
    setLine(null);
    return true;
  };
  return { line: isOver ? null : line, tree: shown, begin, shift, erase, drop: () => setLine(null) };
}

export type NewLines = ReturnType<typeof useNewLine>;
