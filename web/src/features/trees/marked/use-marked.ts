import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { aboveOf } from "../find/use-linked-place.ts";
import { rowsOf } from "../outline/rows.ts";
import { useStable } from "../use-stable.ts";
import type { Line } from "./marked-grid.tsx";
import { type MarkedTree, markedOnly, stopFrom, stopsOf } from "./marked-tree.ts";

const NO_LINES: ReadonlySet<string> = new Set();

/** What the address says where only changes show. */
const ONLY = "changes";

export type MarkedView = ReturnType<typeof useMarked>;

/** Whether only changes show, and how that changes. */
type Only = readonly [isOnly: boolean, setOnly: (isWanted: boolean) => void];

/** Whether only changes show of a tree that is compared with something: the address says it. */
export function useOnlyInAddress(isCompared = true): Only {
  const isOnly = useSearch({ strict: false, select: ({ only }) => only }) === ONLY && isCompared;
  const navigate = useNavigate();
  const setOnly = (isWanted: boolean): void =>
    void navigate({
      to: ".",
      search: (search) => ({ ...search, only: isWanted ? ONLY : undefined }),
      hash: true,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  return [isOnly, setOnly];
}

/** What shows of a marked tree: which lines are open, whether only changes show, and the line with the focus. */
export function useMarked(marked: MarkedTree, [isOnly, setOnly]: Only) {
  const { tree } = marked;
  const stops = useMemo(() => stopsOf(marked), [marked]);
  const [closed, setClosed] = useState<ReadonlySet<string>>(NO_LINES);
  const [line, setLine] = useState<Line | null>(null);
  const shown = useMemo(() => (isOnly ? markedOnly(marked) : null), [isOnly, marked]);
  const rows = useMemo(() => rowsOf(tree, closed, shown), [tree, closed, shown]);
  const order = useMemo(() => rowsOf(tree, NO_LINES).map(({ id }) => id), [tree]);
  const setOpen = useCallback(
    (id: string, isOpen: boolean) =>
      setClosed((known) => (isOpen ? new Set([...known].filter((other) => other !== id)) : new Set([...known, id]))),
    [],
  );
  /** Opens what is above a line, and puts the focus there. */
  const goTo = useStable((id: string) => {
    const above = aboveOf(tree, id);
    if (above === null) return;
    setClosed((known) => new Set([...known].filter((other) => !above.includes(other))));
    if (shown && !shown.has(id)) setOnly(false);
    setLine({ id });
  });
  /** Goes to the next (1) or the former (−1) of `among`, which are in the order of the tree. */
  const step = (by: 1 | -1, among: readonly string[] = stops): void => {
    const next = stopFrom(among, order, line?.id ?? null, by);
    if (next) goTo(next);
  };
  const row = rows.find(({ id }) => id === line?.id);
  return { stops, rows, row, line, setLine, setOpen, isOnly, setOnly, goTo, step };
}
