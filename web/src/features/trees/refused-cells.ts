import { useCallback, useState } from "react";
import type { Refused } from "../../ui/number-fault.tsx";

/** What was typed into a cell and cannot be taken: it stays there until it is corrected or given up. */
export interface RefusedCell {
  readonly text: string;
  readonly fault: Refused;
}

/** By column. */
export type RefusedRow = ReadonlyMap<number, RefusedCell>;

export type SetRefused = (key: string, column: number, refused: RefusedCell | null) => void;

/** Returns the refused cells of each line, by its id, and a function that changes them. */
export function useRefusedCells(): readonly [ReadonlyMap<string, RefusedRow>, SetRefused] {
  const [cells, setCells] = useState<ReadonlyMap<string, RefusedRow>>(new Map());
  const set = useCallback<SetRefused>((key, column, refused) => {
    setCells((before) => {
      const others = [...(before.get(key) ?? [])].filter(([each]) => each !== column);
      const row = new Map(refused ? [...others, [column, refused]] : others);
      return new Map([...before].filter(([each]) => each !== key).concat(row.size > 0 ? [[key, row]] : []));
    });
  }, []);
  return [cells, set];
}
