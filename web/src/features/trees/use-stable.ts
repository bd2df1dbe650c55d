import { useCallback, useRef } from "react";

/**
 * Returns a function that stays the same and calls the latest `run`, so that components that take it are not rendered
 * again.
 */
export function useStable<Args extends readonly unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((...args: Args) => latest.current(...args), []);
}
