import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 720px)");

/** Whether the window is as narrow as a phone's: then the timeline is a list. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      narrow.addEventListener("change", changed);
      return () => narrow.removeEventListener("change", changed);
    },
    () => narrow.matches,
  );
