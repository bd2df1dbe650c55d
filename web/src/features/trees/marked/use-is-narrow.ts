import { useSyncExternalStore } from "react";

/** As in `marked-page.module.css`: up to this width nothing stands beside the tree. */
const narrow = matchMedia("(max-width: 1000px)");

function watch(changed: () => void): () => void {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}

/** Whether the window has no room beside the tree. */
export const useIsNarrow = (): boolean => useSyncExternalStore(watch, () => narrow.matches);
