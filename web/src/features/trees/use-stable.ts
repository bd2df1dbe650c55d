import { useCallback, useRef } from "react";

/** Returns a function that stays the same and calls the latest `run`: what takes it is not rendered for its sake. */
export function useStable<Args extends readonly unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((...args: Args) => latest.current(...args), []);
}
